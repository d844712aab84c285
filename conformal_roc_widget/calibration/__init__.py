"""Training and calibration points -> residuals (Algorithm 1, lines 1 to 3)."""
