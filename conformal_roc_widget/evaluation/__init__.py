"""Residuals and a test set -> rates with limits (Algorithms 1 to 3)."""
