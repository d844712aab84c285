"""Bounds ``P(y = 1 | score)`` from labels and scores, without calibration residuals."""
