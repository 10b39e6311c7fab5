"""The command tree, a thin file for each command. Everything heavy is imported late."""
