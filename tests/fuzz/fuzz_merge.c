/* Merging two texts, which a line "----" divides: whatever they are, the result can be read as
 * Python, and each of its lines that is said to be the trunk's is. */
#include "fuzz.h"

#include "package/merge.h"
#include "package/py_module.h"

#include <string.h>

/* A line, from 1 and without its break, as Python counts lines. */
static const char *line_at(const char *text, size_t len, size_t line, size_t *line_len) {
  size_t i = 0;
  for (; line > 1 && i < len; i++)
    line -= text[i] == '\n' || (text[i] == '\r' && (i + 1 == len || text[i + 1] != '\n'));
  CHECK(line == 1);
  for (*line_len = 0; i + *line_len < len && strchr("\r\n", text[i + *line_len]) == NULL;)
    ++*line_len;
  return text + i;
}

/* Whether the line of the result is that of the trunk's, or a part of it: a class body may get
 * lines of its own. */
static bool is_line_of(const spec_merged *out, size_t line, const spec_py_source *trunk,
                       size_t source_line) {
  size_t len, source_len;
  const char *text = line_at(out->text, out->len, line, &len);
  const char *source = line_at(trunk->text, trunk->len, source_line, &source_len);
  for (size_t i = 0; i + len <= source_len; i++)
    if (memcmp(source + i, text, len) == 0)
      return true;
  while (len > 0 && (*text == ' ' || *text == '\t')) {
    text++;
    len--;
  }
  return len <= source_len && memcmp(source + source_len - len, text, len) == 0;
}

static void check_result(spec_arena *arena, const spec_merged *out, const spec_merge_input *input) {
  spec_py_module module;
  spec_py_fault fault;
  const spec_py_source result = {out->text, out->len, "result"};
  CHECK(spec_py_module_read(&module, &fault, arena, &result, NULL) == SPEC_OK);
  CHECK(fault.what == NULL);
  size_t line = 1;
  for (size_t i = 0; i < out->span_count; i++) {
    const spec_merge_span *s = &out->spans[i];
    CHECK(s->line >= line && s->count > 0 && s->source_line > 0);
    line = s->line + s->count;
    for (size_t k = 0; k < s->count && !s->vendor && out->len < 4096; k++)
      CHECK(is_line_of(out, s->line + k, &input->trunk, s->source_line + k));
  }
}

static void on_event(void *user, const spec_event *event) {
  (void)user;
  CHECK(strchr(event->where, ':') != NULL && event->message[0] != '\0');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char cut[] = "\n----\n";
  spec_arena *arena;
  spec_merged out = {0};
  CHECK(spec_arena_new(&arena, NULL) == SPEC_OK);
  const char *text = spec_arena_strndup(arena, (const char *)data, size);
  const char *middle = memchr(text, '\0', size) == NULL ? strstr(text, cut) : NULL;
  size_t len = middle != NULL ? (size_t)(middle - text) + 1 : size;
  size_t vendor = middle != NULL ? len + sizeof cut - 2 : 0;
  spec_reporter report = {.arena = arena, .on_event = on_event};
  const spec_merge_input input = {
      .trunk = {text, len, "t"}, .vendor = {text + vendor, size - vendor, "v"}, .overlay = "o.py"};
  CHECK(spec_merge(&out, arena, &report, &input, NULL) == SPEC_OK);
  CHECK((out.text == NULL) == (report.errors > 0));
  if (out.text != NULL)
    check_result(arena, &out, &input);
  spec_arena_free(arena);
  return 0;
}
