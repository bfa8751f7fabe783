/* policy.c: the longest path that leads to a file decides, first of the default table, then of
 * spec.ini. */
#include "core/policy.h"

#include "base/path.h"
#include <string.h>

static bool covers(const char *rule, const char *path) {
  return spec_path_below(path, rule) != NULL;
}

spec_policy spec_policy_default(const char *package_path) {
  spec_policy best = SPEC_POLICY_WHOLE;
  size_t best_len = 0;
  for (const spec_policy_row *row = spec_policy_table; row->path != NULL; row++) {
    size_t len = strlen(row->path);
    if (len > best_len && covers(row->path, package_path)) {
      best = row->policy;
      best_len = len;
    }
  }
  /* A package's __init__ re-exports its children: replacing it whole would lose them. */
  if (best == SPEC_POLICY_WHOLE && strcmp(spec_path_basename(package_path), "__init__.py") == 0)
    return SPEC_POLICY_MERGE;
  return best;
}

static spec_policy parse(const char *name) {
  if (strcmp(name, "whole") == 0)
    return SPEC_POLICY_WHOLE;
  return strcmp(name, "merge") == 0 ? SPEC_POLICY_MERGE : SPEC_POLICY_CLOSED;
}

spec_policy spec_policy_for(const spec_backend *backend, const char *package_path) {
  spec_policy best = spec_policy_default(package_path);
  const char *inner = spec_path_below(package_path, "triton");
  size_t best_len = 0;
  for (size_t i = 0; i < backend->setting_count; i++) {
    const spec_setting *s = &backend->settings[i];
    if (strcmp(s->section, "policy") != 0)
      continue;
    /* Bytes of the package path that the key covers: a short key leaves out "triton/". */
    size_t len = strlen(s->key);
    if (inner != NULL && covers(s->key, inner))
      len += (size_t)(inner - package_path);
    else if (!covers(s->key, package_path))
      continue;
    if (len >= best_len) {
      best = parse(s->value);
      best_len = len;
    }
  }
  return best;
}

spec_policy spec_policy_of_file(spec_policy policy, const char *path) {
  bool is_data = strcmp(spec_path_ext(path), ".py") != 0;
  return policy == SPEC_POLICY_MERGE && is_data ? SPEC_POLICY_WHOLE : policy;
}
