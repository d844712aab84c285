"""Estimates of the true probability that residuals are measured against, a file each."""
