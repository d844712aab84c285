"""Runs the page's own code, to ask it what it draws and says."""
