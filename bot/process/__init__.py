"""The process that runs: how it ends with its children, how it is interrupted, how it tells how far it is."""
