"""Many documents: streamed in, journalled, and out as the same bytes however often the run was killed."""
