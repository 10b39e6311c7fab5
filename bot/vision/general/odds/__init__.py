"""How unlikely a board is, whatever the networks say of its cells: by the rules, by how games go, by looks.

    broken_rules    by how much a board breaks the rules of the game
    position_odds   how unlikely a position is in a game
    odd_mine        which mine exploded: the one that looks least like any other cell
    drawings        whether each thing is drawn in one way

The last three give costs: differences of logarithms of probabilities.
"""
