"""What `make bench` measures: synthetic trees, the measuring, and the report."""
