"""What the page draws and says, asked of the page's own code."""
