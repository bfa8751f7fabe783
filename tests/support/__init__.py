"""What several test folders share: small trunks that are really configured, built and run."""
