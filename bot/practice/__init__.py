"""The built-in game window.

In: the rules of a game, clicks and keys. Out: pictures of a window. `session` plays and says what the window
shows, `view` names the parts that changed, `layout` places them, `draw` draws them with the shapes of
`sketch`, and `window` shows them through Tk. The virtual screen (`bot.screen.virtual`) shows the same pixels.
"""
