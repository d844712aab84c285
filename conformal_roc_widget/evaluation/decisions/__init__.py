"""What follows from a band for who acts on it: figures, precision, net benefit, Youden's index."""
