"""What a user's own corrected examples teach: where values are found on the page, and lessons to find the next ones."""
