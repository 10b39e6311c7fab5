"""Games to look at. In: a recording, or a game in memory. Out: moving pictures and pages."""
