"""Many documents: sources are streamed, work is journalled, results are the same bytes however often a run was killed."""
