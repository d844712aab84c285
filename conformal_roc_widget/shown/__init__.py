"""Pictures and the words around them, apart from what draws them."""
