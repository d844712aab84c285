"""Figures for decisions, from a band: metrics, precision, net benefit, Youden's index."""
