"""Making what is learned again, the value of a position (`bot/solver/value/value.npy`) and the correction of
scores (`bot/solver/value/correction.npy`), and measuring variants of the player. MODEL.md says what is
shipped. From nothing, by one command (`make train`):

    python -m training.train --out build/training

Or step by step, from what is shipped:

    python -m training.gather --games 150000 --first-click safe --out safe.npz
    python -m training.gather --games 150000 --first-click zero --out zero.npz
    python -m training.fit safe.npz zero.npz --with bot/solver/value/value.npy --out value.npy
    python -m training.pairs --games 500000 --out expert.npz
    python -m training.pairs --games 100000 --level intermediate --out intermediate.npz
    python -m training.correct expert.npz intermediate.npz --out correction.npy
    python -m training.measure --games 100000 --results before.txt
    python -m training.measure --games 100000 --correction correction.npy --results after.txt
    python -m training.ceiling --games 2000 --layouts 4096 --out ceiling.npz
    python -m training.strength ../shared/bench

The results have a line a game, in the same order for the same games: compare two of them game by game.
`ceiling` says how much there is left to win at all, `strength` writes the README's table.
"""
