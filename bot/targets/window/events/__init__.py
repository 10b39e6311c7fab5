"""What a game does besides showing a board, and what is done about it.

In: the controls of its window. Out: a line for people. `dialogs` answers the windows that the game opens,
`hidden_win` says whether one hides a won board where no windows are listed,
`pause` lets a paused game go on, `new_game` starts the next one.
"""
