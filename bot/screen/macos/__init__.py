"""macOS: `windows` lists the windows of its desktop. Out: an implementation of
`bot.screen.windows.Windows`."""
