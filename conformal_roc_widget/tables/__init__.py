"""Reads rows and columns of data, as they are given and as numbers."""
