"""The format of the messages between kernel and page; `js/src/wire` is its twin."""
