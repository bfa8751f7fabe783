#include <cstdio>

/// acme: prints each library's name on its own line. The target is made last of all, in a deferred call.
int main() {
  for (const char *at = TRITON_LIBRARY_NAMES; *at; ++at)
    std::putchar(*at == ' ' ? '\n' : *at);
  return std::putchar('\n') == EOF;
}
