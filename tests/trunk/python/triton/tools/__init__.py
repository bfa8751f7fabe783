"""Programs and files for ahead-of-time compilation."""
