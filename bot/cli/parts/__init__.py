"""What the commands share: their options, what they print, and how a window is played for them."""
