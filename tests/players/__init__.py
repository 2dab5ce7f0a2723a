"""Who sits at a side."""
