# acme: builds tell whose they are. The trunk includes this file by its full path.
set(TRITON_VERSION_MAJOR 3)
set(TRITON_VERSION_MINOR 9)
set(TRITON_VERSION_SUFFIX "acme")
