"""Holds what a widget shows: evaluations, controls, comparators and colours. Nothing is drawn."""
