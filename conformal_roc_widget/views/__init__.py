"""What is drawn of an evaluation: a file a view, each with its marks and its words."""
