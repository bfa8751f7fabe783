"""The oracle: a build with an overlay against a plain build of the exported tree."""
