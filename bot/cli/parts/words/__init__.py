"""What the options of the commands mean, and which exclude each other."""
