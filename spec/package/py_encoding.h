/* py_encoding.h: whether a Python source is the UTF-8 that it must be. */
#ifndef SPEC_PACKAGE_PY_ENCODING_H
#define SPEC_PACKAGE_PY_ENCODING_H

#include "package/py_scan.h"

/* Bytes of the byte order mark that the text begins with: 3 or 0. */
size_t spec_py_bom(const spec_py_source *source);
/* False, with *fault filled: a byte that is not UTF-8, a NUL, a coding line (PEP 263) that names
 * another encoding, or more than 4 GiB. */
bool spec_py_is_utf8(spec_py_fault *fault, const spec_py_source *source);

#endif
