#include <cstdio>

/// Prints the names of the core's libraries, then those of the backends' libraries, on one line.
int main() { return std::puts(TRITON_LIBRARY_NAMES) < 0; }
