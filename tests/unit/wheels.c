/* wheels.c */
#include "wheels.h"

#include <string.h>

static bool is_record(const wheel_file *file) {
  const char *slash = strrchr(file->name, '/');
  return file->text == NULL && slash != NULL && strcmp(slash, "/RECORD") == 0;
}

static void add(spec_archive_writer *writer, const char *name, const char *text) {
  spec_archive_entry like = {.date = 0x5C214860};
  spec_archive_set_mode(&like, strstr(name, "/scripts/") != NULL);
  assert_int_equal(spec_archive_add(writer, name, text, strlen(text), &like, NULL), SPEC_OK);
}

const char *record_of(spec_arena *arena, const wheel_file *files) {
  char *rows = spec_arena_printf(arena, "%s", "");
  for (; files->name != NULL; files++) {
    spec_wheel_row row = {files->name, "", ""};
    if (files->text == NULL && !is_record(files))
      continue;
    if (files->text != NULL)
      assert_int_equal(
          spec_wheel_row_of(&row, arena, files->name, files->text, strlen(files->text)), 0);
    rows = spec_arena_printf(arena, "%s%s,%s,%s\r\n", rows, row.path, row.hash, row.size);
  }
  return rows;
}

void put_wheel(spec_arena *arena, const char *at, const wheel_file *files, const char *record) {
  spec_archive_writer *writer;
  if (record == NULL)
    record = record_of(arena, files);
  assert_int_equal(spec_archive_new(&writer, arena, at, NULL), SPEC_OK);
  for (; files->name != NULL; files++) {
    const char *text = is_record(files) ? record : files->text;
    add(writer, files->name, text != NULL ? text : "");
  }
  assert_int_equal(spec_archive_publish(writer, NULL, NULL), SPEC_OK);
}
