"""What a person sees of an artifact: the story of each field, and a page to look at."""
