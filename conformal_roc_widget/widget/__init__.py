"""The Jupyter widget, and the same page as a file."""
