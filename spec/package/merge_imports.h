/* merge_imports.h: what the trunk's level imports already. */
#ifndef SPEC_PACKAGE_MERGE_IMPORTS_H
#define SPEC_PACKAGE_MERGE_IMPORTS_H

#include "package/merge_level.h"

typedef struct spec_imports {
  spec_map *known; /* "module:name as alias" -> the last statement that imports it */
  spec_map *bound; /* name -> the last statement that binds it */
} spec_imports;

/* Reads the level's imports; without effect when the vendor's level has none. */
void spec_imports_read(spec_imports *out, spec_level *level);
void spec_imports_free(spec_imports *imports);
/* Whether the trunk's level has all that a statement imports, under the same names, and binds none
 * of them later. */
bool spec_imports_have(const spec_imports *imports, spec_level *level, const spec_py_statement *s);

#endif
