"""Runs the page's TypeScript code in Python, to get its pictures and sentences."""
