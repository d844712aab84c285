"""Rows and columns of data, as they come and as numbers."""
