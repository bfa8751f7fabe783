"""The git side: spec.lock, and overrides held against a trunk's history."""
