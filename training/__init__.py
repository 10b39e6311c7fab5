"""Making the learned value of `bot/solver/value.npy` again, and measuring variants of the player.

    python -m training.gather --games 150000 --first-click safe --out safe.npz
    python -m training.gather --games 150000 --first-click zero --out zero.npz
    python -m training.fit safe.npz zero.npz --with bot/solver/value.npy --out value.npy
    python -m training.measure --games 100000 --results before.txt
    python -m training.measure --games 100000 --value value.npy --results after.txt

The results have a line a game, in the same order for the same games: compare two of them game by game.
"""
