"""X11 (Linux and the BSDs): `windows` lists the windows of a display, an implementation of
`bot.screen.windows.Windows`; `server_probe` asks whether a display answers."""
