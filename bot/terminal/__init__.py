"""The games of the terminal: played by hand, by the bot over pipes, and looked on at."""
