"""The screen, the mouse and the windows of this machine, and a virtual screen that replaces all three.

In: nothing. Out: pictures, the list of windows, and a mouse to move, behind three protocols:
`capture.Capture`, `mouse.Mouse`, `windows.Windows`. `this_machine` chooses their implementations by platform,
`display` finds or starts an X display, `virtual` is a screen in memory.

    x11/ win32/ macos/   the windows of one platform each
    programs/            games and a browser that are started to be played

Nothing here is imported from a display library until it is used.
"""
