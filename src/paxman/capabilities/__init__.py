"""Capabilities: the steps that look for a field's value, one small module per step."""
