"""The pipeline, told top to bottom."""
