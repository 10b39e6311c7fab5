"""Parts of the commands in `bot/cli`: options that several share, and what is too long for a command's
file."""
