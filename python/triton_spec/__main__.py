"""``python -m triton_spec``: see ``--help``."""

import sys


def main(argv=None):
    """Run one command; return the exit status (0 clean, 1 findings, 2 could not do it)."""
    arguments = sys.argv[1:] if argv is None else argv
    print(f"triton_spec: there is no command {arguments[:1]}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
