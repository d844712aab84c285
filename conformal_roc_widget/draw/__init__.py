"""Draws scenes: as SVG, as PNG and with Altair."""
