/* key.h: the key of a stage, and the steps of publishing it. */
#ifndef SPEC_PACKAGE_KEY_H
#define SPEC_PACKAGE_KEY_H

#include "base/json.h"
#include "package/compose.h"

/* As spec_package_key(); what was hashed is in `texts` afterwards. */
int spec_key_of(char out[33], spec_texts *texts, const spec_plan *plan, spec_err *err);

/* cache.c. Removes stages that nobody holds and nobody has used for $TRITON_SPEC_CACHE_DAYS days
 * (30), and what killed runs left in `stages`. What cannot be removed stays. SPEC_EINVAL: the
 * variable is no number. */
int spec_cache_clean(spec_arena *arena, const char *stages, spec_err *err);

/* records.c. The package's manifest as a new object; key may be NULL: it has none. */
int spec_records_manifest(json_t **out, const spec_package *package, const char *key,
                          spec_err *err);
/* Writes manifest.json and lines.json of a package into the folder. */
int spec_records_write(const spec_package *package, const char *key, const char *folder,
                       spec_err *err);

/* write.c. Writes the package into a folder that is empty and nobody else's. */
int spec_package_fill(const spec_package *package, const char *folder, spec_err *err);

#endif
