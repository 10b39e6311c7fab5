"""What is learned: the inputs and the networks of the value of a position and of the correction of scores,
and their weights.
"""
