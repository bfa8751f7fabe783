/* json.h: jansson with the engine's allocator and errors. */
#ifndef SPEC_BASE_JSON_H
#define SPEC_BASE_JSON_H

#include "base/buf.h"
#include <jansson.h>

/* Routes jansson's memory through arena.c; call once before any other use. */
void spec_json_init(void);
/* A JSON string of any bytes: invalid UTF-8 is written as U+FFFD and lossy is
 * then true (may be NULL).  NULL when memory is out. */
json_t *spec_json_text(const char *text, bool *lossy);
/* Takes over value; 0 or SPEC_ENOMEM (then value is freed). */
int spec_json_put(json_t *object, const char *key, json_t *value);
int spec_json_push(json_t *array, json_t *value);
/* Indented by 2, keys in order of insertion, newline at the end. */
int spec_json_dump(spec_buf *out, const json_t *value, spec_err *err);
/* Parses text; the error names the place as "file:line". */
int spec_json_parse(json_t **out, const char *text, size_t len, const char *file, spec_err *err);

#endif
