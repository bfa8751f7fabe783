/* The record of a configure run: what parses is written and parses again to the same bytes. */
#include "fuzz.h"

#include "record.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  spec_arena *arena;
  spec_record record;
  spec_err err = {0};
  CHECK(spec_arena_new(&arena, NULL) == SPEC_OK);
  int rc = spec_record_parse(arena, &record, (const char *)data, size, "f", &err);
  CHECK(rc == SPEC_OK || (rc == SPEC_EPARSE && err.what[0] != '\0'));
  if (rc == SPEC_OK) {
    spec_buf first = {0}, second = {0};
    spec_looks *back;
    CHECK(record.trunk != NULL && record.backend != NULL && record.targets != NULL);
    spec_looks_write(&first, record.looks);
    CHECK(spec_looks_new(&back, arena, NULL) == SPEC_OK);
    CHECK(spec_looks_parse(back, first.data, first.len, "f", NULL) == SPEC_OK);
    spec_looks_write(&second, back);
    CHECK(first.len == second.len && memcmp(first.data, second.data, first.len) == 0);
    spec_buf_dispose(&first);
    spec_buf_dispose(&second);
    spec_looks_free(back);
    spec_looks_free(record.looks);
  }
  spec_arena_free(arena);
  return 0;
}
