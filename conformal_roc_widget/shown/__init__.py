"""The picture and the words around it, whoever draws them."""
