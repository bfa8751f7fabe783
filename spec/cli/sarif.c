/* sarif.c: one run, one tool, a rule for each kind of finding that occurs. */
#include "cli/sarif.h"

#include "base/err.h"
#include "base/path.h"
#include "core/finding.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define SARIF_SCHEMA \
  "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

typedef struct writer {
  spec_arena *arena;
  const char *folder;
  json_t *rules;
  size_t places[SPEC_F_COUNT]; /* of each finding's rule among them, plus one */
} writer;

static const char *text_of(const json_t *finding, const char *key) {
  const char *text = json_string_value(json_object_get(finding, key));
  return text != NULL ? text : "";
}

/* A path as part of a URI; NULL when memory is out. */
static const char *encoded(spec_arena *arena, const char *path, size_t len) {
  static const char hex[] = "0123456789ABCDEF";
  char *out = spec_arena_alloc(arena, len * 3 + 1);
  for (size_t i = 0, n = 0; out != NULL && i < len; i++) {
    unsigned char c = (unsigned char)path[i];
    if (c < 0x80 && (isalnum(c) || strchr("/-._~", c) != NULL)) {
      out[n++] = (char)c;
    } else {
      out[n++] = '%';
      out[n++] = hex[c >> 4];
      out[n++] = hex[c & 15];
    }
  }
  return out;
}

static const char *folder_uri(const writer *w) {
  const char *path = encoded(w->arena, w->folder, strlen(w->folder));
  return path == NULL ? NULL : spec_arena_printf(w->arena, "file://%s/", path);
}

/* Bytes of a place without ":line"; *line is 0 when it has none. */
static size_t split_line(const char *where, long *line) {
  const char *colon = strrchr(where, ':');
  *line = 0;
  if (colon == NULL || colon[1] == '\0' || strspn(colon + 1, "0123456789") != strlen(colon + 1))
    return strlen(where);
  *line = strtol(colon + 1, NULL, 10);
  return (size_t)(colon - where);
}

/* NULL when memory is out. */
static json_t *location(const writer *w, const char *where) {
  long line;
  const char *path = spec_arena_strndup(w->arena, where, split_line(where, &line));
  const char *below = path == NULL ? NULL : spec_path_below(path, w->folder);
  const char *name = below != NULL ? below : path;
  const char *uri = name == NULL ? NULL : encoded(w->arena, name, strlen(name));
  if (uri != NULL && below == NULL && spec_path_is_absolute(path))
    uri = spec_arena_printf(w->arena, "file://%s", uri);
  json_t *artifact = json_object(), *physical = json_object(), *out = json_object();
  int rc = spec_json_put(artifact, "uri", uri == NULL ? NULL : json_string(uri));
  if (below != NULL)
    rc |= spec_json_put(artifact, "uriBaseId", json_string("%SRCROOT%"));
  rc |= spec_json_put(physical, "artifactLocation", artifact);
  if (line > 0) {
    json_t *region = json_object();
    rc |= spec_json_put(region, "startLine", json_integer(line));
    rc |= spec_json_put(physical, "region", region);
  }
  rc |= spec_json_put(out, "physicalLocation", physical);
  if (rc == 0)
    return out;
  json_decref(out);
  return NULL;
}

static int put_text(json_t *object, const char *key, const char *text) {
  json_t *message = json_object();
  int rc = spec_json_put(message, "text", spec_json_text(text, NULL));
  return rc | spec_json_put(object, key, message);
}

static int add_rule(writer *w, const spec_finding_row *row) {
  json_t *rule = json_object(), *configuration = json_object();
  int rc = spec_json_put(rule, "id", json_string(row->code));
  rc |= put_text(rule, "shortDescription", row->message);
  rc |= put_text(rule, "help", *row->mend != '\0' ? row->mend : "Nothing has to be done.");
  rc |= spec_json_put(configuration, "level", json_string(spec_severity_name(row->severity)));
  rc |= spec_json_put(rule, "defaultConfiguration", configuration);
  return rc | spec_json_push(w->rules, rule);
}

/* The place of a code's rule, which is made when need be; -1: it is none of ours. */
static int rule_of(writer *w, long *place, const char *code) {
  *place = -1;
  for (size_t i = 0; i < SPEC_F_COUNT; i++) {
    const spec_finding_row *row = spec_finding_describe((spec_finding)i);
    if (strcmp(row->code, code) != 0)
      continue;
    int rc = 0;
    if (w->places[i] == 0) {
      rc = add_rule(w, row);
      w->places[i] = json_array_size(w->rules);
    }
    *place = (long)w->places[i] - 1;
    return rc;
  }
  return 0;
}

static int add_result(writer *w, json_t *results, const json_t *finding) {
  long place;
  const char *mend = text_of(finding, "mend"), *where = text_of(finding, "where");
  const char *text = spec_arena_printf(w->arena, "%s%s%s", text_of(finding, "message"),
                                       *mend != '\0' ? "; mend: " : "", mend);
  json_t *result = json_object(), *locations = json_array();
  int rc = rule_of(w, &place, text_of(finding, "code"));
  rc |= spec_json_put(result, "ruleId", json_string(text_of(finding, "code")));
  if (place >= 0)
    rc |= spec_json_put(result, "ruleIndex", json_integer(place));
  rc |= spec_json_put(result, "level", json_string(text_of(finding, "severity")));
  rc |= text == NULL ? SPEC_ENOMEM : put_text(result, "message", text);
  if (*where != '\0')
    rc |= spec_json_push(locations, location(w, where));
  rc |= spec_json_put(result, "locations", locations);
  return rc | spec_json_push(results, result);
}

static json_t *bases(const writer *w) {
  json_t *out = json_object(), *root = json_object();
  const char *uri = folder_uri(w);
  int rc = spec_json_put(root, "uri", uri == NULL ? NULL : json_string(uri));
  rc |= spec_json_put(out, "%SRCROOT%", root);
  if (rc == 0)
    return out;
  json_decref(out);
  return NULL;
}

int spec_sarif_new(json_t **out, spec_arena *arena, const json_t *findings, const char *folder,
                   spec_err *err) {
  writer w = {.arena = arena, .folder = folder, .rules = json_array()};
  json_t *root = json_object(), *runs = json_array(), *run = json_object(), *tool = json_object();
  json_t *driver = json_object(), *results = json_array();
  int rc = 0;
  for (size_t i = 0; rc == 0 && i < json_array_size(findings); i++)
    rc = add_result(&w, results, json_array_get(findings, i));
  rc |= spec_json_put(driver, "name", json_string("triton-spec"));
  rc |= spec_json_put(driver, "version", json_string(SPEC_VERSION));
  rc |= spec_json_put(driver, "rules", w.rules);
  rc |= spec_json_put(tool, "driver", driver);
  rc |= spec_json_put(run, "tool", tool);
  rc |= spec_json_put(run, "originalUriBaseIds", bases(&w));
  rc |= spec_json_put(run, "results", results);
  rc |= spec_json_push(runs, run);
  rc |= spec_json_put(root, "$schema", json_string(SARIF_SCHEMA));
  rc |= spec_json_put(root, "version", json_string("2.1.0"));
  rc |= spec_json_put(root, "runs", runs);
  if (rc == 0) {
    *out = root;
    return SPEC_OK;
  }
  json_decref(root);
  return spec_fail_memory(err);
}
