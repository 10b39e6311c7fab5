"""`python -m tests.soak`: a thousand real games, with what happens to windows in between.

In: a seed, which gives the plan, and a file of results, which says what is played already. Out: that file, a
line a part, and a table.

    plan       which window is played on which desktop, how often, and what happens to it
    desktops   screens of X11 and Wayland that a part has for itself
    games      the windows
    faults     what happens to a window, and how a run may end after it
    part       plays one part, in a process of its own
    windows_part   plays one under Windows' Python
    losses     whether a game was lost on a guess
    spoiled    minebot with a mouse that loses or doubles a click
    judge      what is wrong with what came of a part
"""
