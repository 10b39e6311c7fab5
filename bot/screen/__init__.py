"""The screen and the mouse of this machine, and a virtual screen that stands in for them."""
