"""A Wayland desktop: its pictures, its pointer and keyboard, and its windows where it lists them.

In: what `ways` finds that this desktop offers. Out: `capture.Capture`, `mouse.Mouse` and `windows.Windows`,
made by `session` for the one desktop that this process uses.

    wire              the protocol of Wayland's socket
    protocols         the objects of Wayland and of wlroots that are used
    desktop           what each way in provides: monitors, a pointer, keys
    wlroots           that for Sway and its like, through wlroots' protocols
    cast              that for GNOME, KDE and others, through the portal
    keymap            keys by what they type
    capture, mouse    the protocols of a screen over any way in
    sway              the windows of Sway
    ways, session     which way in this desktop offers, and the one that is in use
"""
