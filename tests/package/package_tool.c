/* What spec/package makes of texts, for tests in Python: a JSON object a line on standard input,
 * its answer as a line on standard output.
 *   {"statements": text} or {"statements_of": path}
 *   {"trunk": text, "vendor": text, "strict": bool}: what merging gives
 *   {"before": text, "now": text, "method": bool}: the first statements' signatures compared
 */
#include "base/arena.h"
#include "base/event.h"
#include "base/fs.h"
#include "package/merge.h"
#include "package/py_module.h"
#include "package/signature.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Ends the program: a test tool has nobody to report to. */
static void *need(void *pointer) {
  if (pointer == NULL) {
    (void)fprintf(stderr, "out of memory\n");
    exit(2);
  }
  return pointer;
}

static json_t *names_json(spec_py_names names) {
  json_t *array = need(json_array());
  for (size_t i = 0; i < names.count; i++) {
    const spec_py_name *n = &names.items[i];
    json_array_append_new(array, json_pack("[s#ib]", n->name.text, (int)n->name.len, (int)n->local,
                                           n->annotation ? 1 : 0));
  }
  return array;
}

static json_t *block_json(const spec_py_module *module, spec_py_block block) {
  json_t *array = need(json_array());
  for (size_t i = 0; i < block.count; i++) {
    const spec_py_statement *s = &block.items[i];
    json_t *item = need(json_pack(
        "{s:s,s:i,s:i,s:i,s:i,s:i,s:i,s:o,s:o,s:i,s:o}", "kind", spec_py_kind_name(s->kind), "line",
        (int)s->line, "word_line", (int)s->word_line, "last_line", (int)s->last_line, "start",
        (int)s->start, "end", (int)s->end, "clause", (int)s->clause, "binds", names_json(s->binds),
        "uses", names_json(s->uses), "decorators", (int)s->decorator_count, "body",
        block_json(module, s->body)));
    json_array_append_new(array, item);
  }
  return array;
}

static json_t *statements(spec_arena *arena, const char *text, size_t len) {
  spec_py_module module;
  spec_py_fault fault;
  const spec_py_source source = {text, len, "text"};
  if (spec_py_module_read(&module, &fault, arena, &source, NULL) != 0)
    exit(2);
  if (fault.what != NULL)
    return json_pack("{s:s,s:i}", "fault", fault.what, "line", (int)fault.line);
  return json_pack("{s:o}", "body", block_json(&module, module.body));
}

static const char *read_file(spec_arena *arena, const char *path, size_t *len) {
  const char *text;
  if (spec_fs_read(arena, &text, len, path, NULL) != 0)
    exit(2);
  return text;
}

static spec_py_source source_of(const json_t *request, const char *key) {
  const json_t *text = json_object_get(request, key);
  return (spec_py_source){json_string_value(text), json_string_length(text), key};
}

static void on_event(void *user, const spec_event *event) {
  json_array_append_new(user, need(spec_event_json(event)));
}

static json_t *merged(spec_arena *arena, const json_t *request) {
  spec_merged out = {0};
  json_t *findings = need(json_array()), *spans = need(json_array());
  spec_reporter report = {.arena = arena, .on_event = on_event, .user = findings};
  const spec_merge_input input = {.trunk = source_of(request, "trunk"),
                                  .vendor = source_of(request, "vendor"),
                                  .overlay = "spec/triton/m.py",
                                  .strict_signatures =
                                      json_is_true(json_object_get(request, "strict"))};
  if (spec_merge(&out, arena, &report, &input, NULL) != 0)
    exit(2);
  for (size_t i = 0; i < out.span_count; i++)
    json_array_append_new(spans,
                          json_pack("[iiib]", (int)out.spans[i].line, (int)out.spans[i].count,
                                    (int)out.spans[i].source_line, out.spans[i].vendor));
  return json_pack("{s:o?,s:o,s:o}", "text",
                   out.text != NULL ? need(json_stringn(out.text, out.len)) : NULL, "spans", spans,
                   "findings", findings);
}

static void read_signature(spec_signature *out, spec_arena *arena, const json_t *request,
                           const char *key) {
  spec_py_module module;
  spec_py_fault fault;
  const spec_py_source source = source_of(request, key);
  bool method = json_is_true(json_object_get(request, "method"));
  if (spec_py_module_read(&module, &fault, arena, &source, NULL) != 0 || fault.what != NULL ||
      spec_signature_read(out, arena, &module, &module.body.items[0], method, NULL) != 0)
    exit(2);
}

static json_t *compared(spec_arena *arena, const json_t *request) {
  spec_signature before, now;
  const char *why;
  read_signature(&before, arena, request, "before");
  read_signature(&now, arena, request, "now");
  if (spec_signature_compare(&why, arena, &before, &now, NULL) != 0)
    exit(2);
  return json_pack("{s:s?}", "why", why);
}

static json_t *answer(spec_arena *arena, const json_t *request) {
  const json_t *text = json_object_get(request, "statements");
  const json_t *path = json_object_get(request, "statements_of");
  if (text != NULL)
    return statements(arena, json_string_value(text), json_string_length(text));
  if (path != NULL) {
    size_t len;
    const char *bytes = read_file(arena, json_string_value(path), &len);
    return statements(arena, bytes, len);
  }
  if (json_object_get(request, "vendor") != NULL)
    return merged(arena, request);
  return json_object_get(request, "now") != NULL ? compared(arena, request) : NULL;
}

int main(void) {
  char *line = NULL;
  size_t cap = 0;
  spec_json_init();
  while (getline(&line, &cap, stdin) > 0) {
    spec_arena *arena;
    json_t *request = need(json_loads(line, JSON_ALLOW_NUL, NULL));
    if (spec_arena_new(&arena, NULL) != 0)
      exit(2);
    json_t *reply = need(answer(arena, request));
    json_dumpf(reply, stdout, JSON_COMPACT);
    (void)putchar('\n');
    (void)fflush(stdout);
    json_decref(reply);
    json_decref(request);
    spec_arena_free(arena);
  }
  free(line);
  return 0;
}
