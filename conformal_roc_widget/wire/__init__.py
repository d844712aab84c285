"""Declares the messages between kernel and page. On the page: `js/src/wire`."""
