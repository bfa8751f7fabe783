"""The rules of this repository that no compiler knows, one module a subject.

Each module has a table of what it forbids and functions that take a `Tree` and return `Finding`s:

    source   reading the tree; C text without comments, its functions
    layers   who may include what, who may print, exit, allocate
    style    sizes, banned functions, comments of the public interfaces
    text     trailing space, names of private machines
    docs     the commands and links that the documents name

`RULES` in `tools/check` lists them for the command line; tests/lint runs each on trees that break it.
"""
