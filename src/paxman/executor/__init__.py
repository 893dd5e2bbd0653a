"""Walks the plan and spends the budget."""
