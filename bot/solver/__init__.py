"""What follows from a board: deduction by logic, and (later) the chances of mines."""
