"""What words mean: terms by trade and language, heads, qualifiers and owners. Data in `data/`, loaders here."""
