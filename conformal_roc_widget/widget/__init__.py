"""Makes the Jupyter widget, and writes its page and its pictures as files."""
