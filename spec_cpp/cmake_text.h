/* cmake_text.h: writing CMake code. */
#ifndef SPEC_CPP_CMAKE_TEXT_H
#define SPEC_CPP_CMAKE_TEXT_H

#include "base/buf.h"

/* "text", escaped so that CMake reads back the same bytes. */
void spec_cmake_quote(spec_buf *out, const char *text);
/* set_property(GLOBAL PROPERTY name "a;b;c"); items hold no ';'.  A global
 * property, since a variable set inside a function would not outlive it. */
void spec_cmake_global(spec_buf *out, const char *name, const char *const *items, size_t count);

#endif
