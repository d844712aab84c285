"""Calibrates with outcomes that have a time: weights for censoring, known outcomes, reference."""
