"""Draws a `Scene` (a picture as data) as SVG, PNG or PDF, with Altair, or on Matplotlib axes."""
