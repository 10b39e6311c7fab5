"""What the commands keep of the games that are played."""
