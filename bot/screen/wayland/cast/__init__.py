"""The way into GNOME, KDE and others: pictures over PipeWire, clicks and keys over the session's message bus.

In: the session bus that the environment names. Out: `cast_desktop.CastDesktop`, which is a `Desktop`.
Needs the packages of the extra `wayland`.

    bus             calls and signals of the message bus
    frames          the pictures of one monitor, as PipeWire brings them
    cast_desktop    monitors and a pointer over any remote control of a desktop
    portal_offer    what the desktop's portal offers, found without asking anybody
    portal          that control by the desktop's portal, which asks the user for consent
    consent         the consent that a portal lets us remember
    mutter          that control by Mutter's own interfaces, which ask nobody: for tests
"""
