/* json.c: jansson, with memory and errors of the engine. */
#include "base/json.h"

#include "base/err.h"
#include "base/path.h"

#include <string.h>

#define REPLACEMENT "\xEF\xBF\xBD" /* U+FFFD */

/* Whether memory ran out since this was cleared: jansson reports that as all kinds of errors. */
static _Thread_local bool memory_ran_out;

static void *allocate(size_t size) {
  void *made = spec_malloc(size);
  if (made == NULL)
    memory_ran_out = true;
  return made;
}

void spec_json_init(void) {
  json_set_alloc_funcs(allocate, spec_free);
  /* A fixed seed: jansson would otherwise open /dev/urandom, and fs.c alone opens files. */
  json_object_seed(1);
}

/* Copies text, with each byte that is no part of valid UTF-8 replaced. */
static void add_lossy(spec_buf *out, const char *text, size_t len) {
  for (size_t at = 0; at < len;) {
    size_t step = 1;
    while (step <= 4 && !(step <= len - at && spec_text_is_utf8(text + at, step)))
      step++;
    if (step <= 4) {
      spec_buf_add(out, text + at, step);
      at += step;
    } else {
      spec_buf_str(out, REPLACEMENT);
      at++;
    }
  }
}

json_t *spec_json_text(const char *text, bool *lossy) {
  size_t len = strlen(text);
  bool valid = spec_text_is_utf8(text, len);
  if (lossy != NULL)
    *lossy = !valid;
  if (valid)
    return json_stringn_nocheck(text, len);
  spec_buf clean = {0};
  add_lossy(&clean, text, len);
  json_t *made = spec_buf_failed(&clean) ? NULL : json_stringn_nocheck(clean.data, clean.len);
  spec_buf_dispose(&clean);
  return made;
}

int spec_json_put(json_t *object, const char *key, json_t *value) {
  return json_object_set_new(object, key, value) == 0 ? SPEC_OK : SPEC_ENOMEM;
}

int spec_json_push(json_t *array, json_t *value) {
  return json_array_append_new(array, value) == 0 ? SPEC_OK : SPEC_ENOMEM;
}

static int add_chunk(const char *data, size_t len, void *out) {
  spec_buf_add(out, data, len);
  return spec_buf_failed(out) ? -1 : 0;
}

int spec_json_dump(spec_buf *out, const json_t *value, spec_err *err) {
  if (value == NULL)
    return spec_fail(err, SPEC_EINVAL, "cannot write JSON: there is no value");
  size_t before = out->len;
  memory_ran_out = false;
  int rc = json_dump_callback(value, add_chunk, out, JSON_INDENT(2) | JSON_ENCODE_ANY);
  if (rc == 0)
    spec_buf_char(out, '\n');
  if (rc == 0 && !spec_buf_failed(out))
    return SPEC_OK;
  out->len = before;
  if (out->data != NULL)
    out->data[before] = '\0';
  if (memory_ran_out || spec_buf_failed(out))
    return spec_fail_memory(err);
  return spec_fail(err, SPEC_EINVAL, "cannot write JSON: a value holds itself");
}

int spec_json_parse(json_t **out, const char *text, size_t len, const char *file, spec_err *err) {
  json_error_t error;
  memory_ran_out = false;
  json_t *value = json_loadb(text, len, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &error);
  if (memory_ran_out) { /* jansson may go on with a string that lacks a byte */
    json_decref(value);
    return spec_fail_memory(err);
  }
  if (value != NULL) {
    *out = value;
    return SPEC_OK;
  }
  (void)spec_fail(err, SPEC_EPARSE, "cannot parse '%s': %s", file, error.text);
  (void)spec_fail_where(err, "%s:%d", file, error.line);
  return SPEC_EPARSE;
}
