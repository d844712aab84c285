"""Turns training and calibration points into calibration residuals (Algorithm 1, lines 1 to 3)."""
