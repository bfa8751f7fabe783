/* JSON: what parses is written and read back alike; what does not parse has a place and a reason;
 * any bytes at all can be put into a document. */
#include "fuzz.h"

#include "base/json.h"

#include <string.h>

static void check_text(const char *text) {
  json_t *value = spec_json_text(text, NULL), *again = NULL;
  spec_buf out = {0};
  CHECK(value != NULL);
  CHECK(spec_json_dump(&out, value, NULL) == SPEC_OK);
  CHECK(spec_json_parse(&again, out.data, out.len, "f", NULL) == SPEC_OK);
  CHECK(json_equal(value, again));
  json_decref(value);
  json_decref(again);
  spec_buf_dispose(&out);
}

static void check_round_trip(json_t *value) {
  spec_buf first = {0}, second = {0};
  json_t *again = NULL;
  CHECK(spec_json_dump(&first, value, NULL) == SPEC_OK);
  CHECK(spec_json_parse(&again, first.data, first.len, "f", NULL) == SPEC_OK);
  CHECK(json_equal(value, again));
  CHECK(spec_json_dump(&second, again, NULL) == SPEC_OK);
  CHECK(strcmp(first.data, second.data) == 0);
  json_decref(again);
  spec_buf_dispose(&first);
  spec_buf_dispose(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  spec_json_init();
  spec_err err = {0};
  json_t *value = NULL;
  int rc = spec_json_parse(&value, (const char *)data, size, "f", &err);
  CHECK(rc == SPEC_OK || rc == SPEC_EPARSE);
  CHECK(rc == err.code && (rc == SPEC_OK) == (value != NULL));
  CHECK(rc == SPEC_OK || (err.what[0] != '\0' && strncmp(err.where, "f:", 2) == 0));
  if (value != NULL)
    check_round_trip(value);
  json_decref(value);
  spec_buf text = {0};
  spec_buf_add(&text, (const char *)data, size);
  check_text(spec_buf_text(&text));
  spec_buf_dispose(&text);
  return 0;
}
