"""Computes what decisions at a threshold need: metrics, precision, net benefit, Youden's index."""
