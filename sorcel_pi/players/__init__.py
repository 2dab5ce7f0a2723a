"""Who sits at a side of the table: a person at the board, or an engine's process."""
