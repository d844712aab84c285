"""Bounds of P(y = 1 | score) from labels by score, without residuals."""
