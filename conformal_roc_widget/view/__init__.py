"""What the page, pictures and charts show, whoever draws it."""
