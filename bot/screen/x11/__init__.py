"""X11 (Linux and the BSDs): `windows` lists the windows of a display, an implementation of
`bot.screen.windows.Windows`; `clicks` presses and releases; `server_probe` asks whether a display answers."""
