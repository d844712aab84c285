"""Calibration of outcomes with a time: censoring, known outcomes, person-period reference."""
