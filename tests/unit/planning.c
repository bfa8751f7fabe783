/* planning.c: one way to plan, stage and place for all tests. */
#include "planning.h"

#include <stdio.h>
#include <string.h>

void remember(void *user, const spec_event *event) {
  findings *to = user;
  if (to->count < COUNT(to->items)) {
    said *item = &to->items[to->count];
    item->severity = event->severity;
    (void)snprintf(item->code, sizeof item->code, "%s", event->code);
    (void)snprintf(item->where, sizeof item->where, "%s", event->where);
    (void)snprintf(item->message, sizeof item->message, "%s", event->message);
    (void)snprintf(item->mend, sizeof item->mend, "%s", event->mend);
  }
  to->count++;
}

const said *find_said(const findings *in, const char *code) {
  for (size_t i = 0; i < in->count && i < COUNT(in->items); i++)
    if (strcmp(in->items[i].code, code) == 0)
      return &in->items[i];
  return NULL;
}

static int make_plan(findings *found, spec_plan **out, const char *backend, bool installed,
                     spec_err *err) {
  const char *const roots[] = {at("vendors")};
  const spec_options options = {
      .trunk = at("trunk"),
      .installed = installed,
      .backend = backend,
      .roots = roots,
      .root_count = 1,
      .strict_redundant = true,
      .trace = true,
      .on_event = remember,
      .user = found,
  };
  found->count = 0;
  *out = NULL;
  return spec_plan_new(out, &options, err);
}

int plan_backend(findings *found, spec_plan **out, const char *backend, spec_err *err) {
  return make_plan(found, out, backend, false, err);
}

int plan_installed(findings *found, spec_plan **out, const char *backend, spec_err *err) {
  return make_plan(found, out, backend, true, err);
}

spec_plan *sound_plan(findings *found) {
  spec_plan *plan;
  spec_err err = {0};
  int rc = plan_backend(found, &plan, "acme", &err);
  if (rc != 0)
    print_error("%s %s\n", err.what, found->count > 0 ? found->items[0].message : "");
  assert_int_equal(rc, SPEC_OK);
  return plan;
}

int stage(spec_plan *plan, spec_err *err) {
  return spec_build_stage(plan, at("out"), err);
}

int place_text(spec_plan *plan, const char *text, bool strict_unused, spec_err *err) {
  static char full[64 * 1024];
  size_t len = 0;
  for (; *text != '\0'; text++) {
    size_t room = sizeof full - len;
    int n = *text == '@' ? snprintf(full + len, room, "%s", scratch())
                         : snprintf(full + len, room, "%c", *text);
    assert_true(n > 0 && (size_t)n < room);
    len += (size_t)n;
  }
  put("targets.txt", full);
  return spec_build_place(plan, at("out"), "targets.txt", strict_unused, err);
}

json_t *placed(const char *targets) {
  findings found;
  spec_plan *plan = sound_plan(&found);
  spec_err err = {0};
  int rc = place_text(plan, targets, true, &err);
  if (rc != SPEC_OK)
    print_error("%s %s\n", err.what, found.count > 0 ? found.items[0].message : "");
  assert_int_equal(rc, SPEC_OK);
  spec_plan_free(plan);
  const char *text = text_of("out/manifest.json");
  json_t *manifest;
  assert_int_equal(spec_json_parse(&manifest, text, strlen(text), "manifest", NULL), SPEC_OK);
  return manifest;
}

const json_t *unit_of(const json_t *manifest, const char *source) {
  const json_t *units = json_object_get(manifest, "units");
  for (size_t i = 0; i < json_array_size(units); i++) {
    const json_t *unit = json_array_get(units, i);
    if (strcmp(json_string_value(json_object_get(unit, "source")), source) == 0)
      return unit;
  }
  return NULL;
}

bool are_words(const json_t *array, const char *words) {
  char found[1024] = "";
  for (size_t i = 0, len = 0; i < json_array_size(array); i++)
    len += (size_t)snprintf(found + len, sizeof found - len, "%s%s", i > 0 ? " " : "",
                            json_string_value(json_array_get(array, i)));
  if (strcmp(found, words) != 0)
    print_error("is '%s', and not '%s'\n", found, words);
  return strcmp(found, words) == 0;
}

const char *at(const char *path) {
  static char paths[8][4096];
  static size_t next;
  char *out = paths[next++ % COUNT(paths)];
  int n = snprintf(out, sizeof paths[0], "%s/%s", scratch(), path);
  assert_true(n > 0 && (size_t)n < sizeof paths[0]);
  return out;
}

const char *text_of(const char *path) {
  static char texts[4][64 * 1024];
  static size_t next;
  char *out = texts[next++ % COUNT(texts)];
  FILE *file = fopen(path, "rb");
  if (file == NULL)
    print_error("no file '%s'\n", path);
  assert_non_null(file);
  if (file == NULL)
    return NULL;
  size_t len = fread(out, 1, sizeof texts[0] - 1, file);
  assert_true(feof(file) || len < sizeof texts[0] - 1);
  (void)fclose(file);
  out[len] = '\0';
  return out;
}
