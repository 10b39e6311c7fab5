"""What the network learns from, and how: for `training.reader.learn`.

canvas     a board of a picture, resampled so that every cell has one size
negatives  grids that are no boards
redrawn    boards whose marks, faces, digits and colours are drawn over
pictures   what they are drawn over with
examples   parts of boards, cut and coloured each time a little otherwise
model      the network in PyTorch
muon       the optimizer of its inner weights
"""
