/* The texts of a wheel, in one input: RECORD, METADATA and the wheel's name, parted by lines "--".
 * What is read is written so that it reads the same; what is not read has a place and a reason. */
#include "fuzz.h"

#include "base/err.h"
#include "package/headers.h"
#include "package/version.h"
#include "package/wheel_record.h"

#include <string.h>

/* Cuts the text off `*rest` that ends before the next line "--". */
static const char *next_text(spec_arena *arena, const char **rest, size_t *left, size_t *len) {
  const char *end = NULL;
  for (size_t i = 0; end == NULL && i + 4 <= *left; i++)
    if (memcmp(*rest + i, "\n--\n", 4) == 0)
      end = *rest + i;
  *len = end == NULL ? *left : (size_t)(end - *rest);
  const char *text = spec_arena_strndup(arena, *rest, *len);
  size_t used = end == NULL ? *left : *len + 4;
  *rest += used;
  *left -= used;
  return text;
}

static void check_record(spec_arena *arena, const char *text, size_t len) {
  spec_wheel_record record, again;
  spec_err err = {0};
  if (spec_wheel_record_parse(&record, arena, text, len, "R", &err) < 0) {
    CHECK(err.code == SPEC_EPARSE && strncmp(err.where, "R:", 2) == 0 && err.what[0] != '\0');
    return;
  }
  spec_buf out = {0};
  spec_wheel_record_write(&out, &record);
  CHECK(!spec_buf_failed(&out));
  CHECK(spec_wheel_record_parse(&again, arena, spec_buf_text(&out), out.len, "R", &err) == SPEC_OK);
  CHECK(again.count == record.count);
  for (size_t i = 0; i < record.count; i++) {
    CHECK(record.rows[i].path[0] != '\0');
    CHECK(strcmp(again.rows[i].path, record.rows[i].path) == 0);
    CHECK(strcmp(again.rows[i].hash, record.rows[i].hash) == 0);
    CHECK(strcmp(again.rows[i].size, record.rows[i].size) == 0);
    (void)spec_wheel_row_agrees(&record.rows[i], text, len);
  }
  spec_buf_dispose(&out);
}

static void check_headers(spec_arena *arena, const char *text, size_t len) {
  spec_header header, again;
  size_t count = spec_headers_find(&header, text, len, "Version"), new_len;
  if (count == 0)
    return;
  CHECK(header.at + header.len <= len);
  const char *out = spec_headers_replace(arena, &new_len, text, len, &header, "1+a");
  CHECK(out != NULL && new_len == len - header.len + 3);
  CHECK(spec_headers_find(&again, out, new_len, "Version") == count);
  CHECK(again.len == 3 && memcmp(out + again.at, "1+a", 3) == 0);
}

static void check_name(spec_arena *arena, const char *text) {
  spec_wheel_name name, again;
  spec_err err = {0};
  const char *version;
  if (spec_wheel_name_parse(&name, arena, text, &err) < 0 ||
      spec_version_with_label(&version, arena, name.version, "acme_1", &err) < 0) {
    CHECK(err.code == SPEC_EINVAL && err.mend[0] != '\0');
    return;
  }
  CHECK(spec_version_equal(name.version, name.version));
  CHECK(!spec_version_equal(name.version, version));
  const char *made = spec_arena_printf(arena, "%s-%s-%s.whl", name.project,
                                       spec_version_in_name(arena, version), name.tail);
  CHECK(spec_wheel_name_parse(&again, arena, made, &err) == SPEC_OK);
  CHECK(spec_version_equal(again.version, version) && strcmp(again.tail, name.tail) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  spec_arena *arena;
  const char *rest = (const char *)data;
  size_t left = size, len;
  CHECK(spec_arena_new(&arena, NULL) == SPEC_OK);
  const char *text = next_text(arena, &rest, &left, &len);
  check_record(arena, text, len);
  text = next_text(arena, &rest, &left, &len);
  check_headers(arena, text, len);
  check_name(arena, next_text(arena, &rest, &left, &len));
  spec_arena_free(arena);
  return 0;
}
