/* The reader of the cpu backend: what it takes is printed in a form that it takes again and prints
 * the same; what it refuses has a place in the text. What it takes is lowered and printed as C
 * and as linalg, or refused with a place. */
#include "fuzz.h"

#include "compiler/emit.h"
#include "compiler/lower/lower.h"

#include <string.h>

static void check_error(const tc_err *err, size_t size) {
  CHECK(err->code == TC_EREFUSED && err->what[0] != '\0');
  CHECK(err->line >= 1 && err->line <= size + 1 && err->column >= 1 && err->column <= size + 1);
}

static void lower(const tc_module *module, size_t size) {
  tc_program *program = NULL;
  tc_text text = {0};
  tc_err err = {0};
  if (tc_lower(&program, module, NULL, &err) != TC_OK) {
    check_error(&err, size);
    return;
  }
  tc_tile_print(&text, program);
  CHECK(!text.failed && text.len > 0);
  if (tc_emit_c(&text, program, &err) != TC_OK)
    CHECK(err.code == TC_EREFUSED && err.what[0] != '\0');
  if (tc_emit_linalg(&text, program, &err) != TC_OK)
    CHECK(err.code == TC_EREFUSED && err.what[0] != '\0');
  tc_text_free(&text);
  tc_program_free(program);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  tc_module *module = NULL, *again = NULL;
  tc_text once = {0}, twice = {0};
  tc_err err = {0};
  if (tc_read(&module, (const char *)data, size, &err) != TC_OK) {
    check_error(&err, size);
    return 0;
  }
  tc_print(&once, module);
  CHECK(tc_read(&again, once.data, once.len, &err) == TC_OK);
  tc_print(&twice, again);
  CHECK(once.len == twice.len && memcmp(once.data, twice.data, once.len) == 0);
  lower(module, size);
  tc_text_free(&once);
  tc_text_free(&twice);
  tc_module_free(module);
  tc_module_free(again);
  return 0;
}
