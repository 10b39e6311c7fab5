"""What the network learns from, and how: for `training.reader.learn`.

canvas           a board of a picture, resampled so that every cell has one size
negatives        grids that are no boards
redrawn          boards whose marks, faces, digits and colours are drawn over
pictures         what they are drawn over with
examples         parts of boards, cut each time a little otherwise
packs            boards in files, to be taken to another machine
stock            the last examples that were made, and batches of them
recolouring      the boards of a batch in other colours
model            the network in PyTorch
muon             the optimizer of its inner weights
trained          one network while it is trained
written_weights  weights in files, as they are trained and as they ship
"""
