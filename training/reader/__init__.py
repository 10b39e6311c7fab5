"""Trains the network that reads cells of any skin (`bot/vision/general`): draws looks, learns, measures.

In: nothing but seeds and the fonts of this machine. Out: the weights that the bot ships, and a table of how
many boards of looks that no training saw are read exactly.

    positions        boards as they are at every stage of a game
    samples          pictures with labelled boards, in a folder
    families         what no training may see, by which readers are judged
    html_pages       boards drawn as web pages (`html`)
    painted          boards drawn with random looks by our own means (`paint`)
    written          boards that are written in characters (`writing`)
    widgets          boards of other toolkits, only for judging (`toolkits`)
    look_alikes      boards that look nearly like a shipped theme
    learn            trains the network on such pictures (`learning`)
    checks           how well such boards are read
"""
