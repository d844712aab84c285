"""Computes limits of rates from calibration residuals and a test set (Algorithms 1 to 3)."""
