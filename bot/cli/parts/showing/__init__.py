"""What the commands do that make pictures and pages."""
