"""What a game does besides showing a board, and what is done about it.

`dialogs` answers the windows that it opens, `pause` lets a paused game go on, `game_end` tells won and lost
where the end hides the board, `new_game` and `face_button` start the next game.
"""
