/* why_text.c: the answer of `why` on one screen. */
#include "cli/why.h"

#include <string.h>

/* Without --all: units of one target, targets, and names in a list. */
enum { MOST_UNITS = 2, MOST_TARGETS = 4, MOST_NAMES = 4 };

static const char *text_of(const json_t *object, const char *key) {
  const char *text = json_string_value(json_object_get(object, key));
  return text != NULL ? text : "";
}

static bool is(const json_t *object, const char *key, const char *value) {
  return strcmp(text_of(object, key), value) == 0;
}

/* A path as it is seen from the build folder. */
static const char *in_build(const json_t *build, const char *path) {
  const char *folder = text_of(build, "folder");
  size_t len = strlen(folder);
  return strncmp(path, folder, len) == 0 && path[len] == '/' ? path + len + 1 : path;
}

static const char *plural(size_t count) {
  return count == 1 ? "" : "s";
}

/* "a, b", or `none` for an empty list; "" in it is the trunk's root. */
static void add_list(spec_buf *out, const json_t *list, const char *none) {
  json_t *item;
  size_t i;
  json_array_foreach (list, i, item) {
    const char *text = json_string_value(item);
    spec_buf_printf(out, "%s%s", i == 0 ? "" : ", ", *text == '\0' ? "." : text);
  }
  if (json_array_size(list) == 0)
    spec_buf_str(out, none);
}

/* The first of a list, and how many more there are. */
static void add_some(spec_buf *out, const json_t *list, bool all) {
  size_t count = json_array_size(list), shown = all || count < MOST_NAMES ? count : MOST_NAMES;
  for (size_t i = 0; i < shown; i++)
    spec_buf_printf(out, "%s%s", i == 0 ? "" : ", ", json_string_value(json_array_get(list, i)));
  if (shown < count)
    spec_buf_printf(out, " and %zu more (--all)", count - shown);
  spec_buf_char(out, '\n');
}

/* --- the plan --- */

static void add_shadows(spec_buf *out, const json_t *answer) {
  json_t *item;
  size_t i;
  json_array_foreach (json_object_get(answer, "shadows"), i, item) {
    bool layer = json_object_get(item, "layer") != NULL;
    spec_buf_printf(out, "  instead of: %s%s%s: %s\n", layer ? "backend '" : "the trunk's",
                    text_of(item, "layer"), layer ? "'" : "", text_of(item, "file"));
  }
}

static void add_hunks(spec_buf *out, const json_t *answer) {
  json_t *hunk;
  size_t i;
  json_array_foreach (json_object_get(answer, "hunks"), i, hunk) {
    json_int_t line = json_integer_value(json_object_get(hunk, "line"));
    json_int_t offset = json_integer_value(json_object_get(hunk, "offset"));
    size_t moved = (size_t)(offset < 0 ? -offset : offset);
    spec_buf_printf(out, "  hunk %zu, line %d of the patch: ", i + 1,
                    (int)json_integer_value(json_object_get(hunk, "patch_line")));
    if (json_is_true(json_object_get(hunk, "upstreamed")))
      spec_buf_printf(out, "done already at line %d, to be dropped\n", (int)line);
    else
      spec_buf_printf(out, "from line %d on%s", (int)line, moved == 0 ? "\n" : "");
    if (moved > 0)
      spec_buf_printf(out, ", %zu line%s %s than it states\n", moved, plural(moved),
                      offset < 0 ? "earlier" : "later");
  }
}

static void add_plan(spec_buf *out, const json_t *answer) {
  spec_buf_printf(out, "%s\n", text_of(answer, "trunk"));
  if (json_is_true(json_object_get(answer, "overridden"))) {
    spec_buf_printf(out, "  %s %s of backend '%s': %s\n  file: %s\n", text_of(answer, "kind"),
                    text_of(answer, "action"), text_of(answer, "layer"), text_of(answer, "reason"),
                    is(answer, "action", "remove") ? "(none)" : text_of(answer, "vendor"));
    add_hunks(out, answer);
    spec_buf_printf(out, "  rule: %s: %s\n", text_of(answer, "rule"), text_of(answer, "how"));
    add_shadows(out, answer);
  } else if (json_is_true(json_object_get(answer, "exists_in_trunk"))) {
    spec_buf_printf(out, "  the trunk's own file: backend '%s' has none at this path\n",
                    text_of(answer, "backend"));
  } else {
    spec_buf_str(out, "  neither the trunk's nor the overlay's: the build has it from elsewhere\n");
  }
}

/* --- ways --- */

static void add_found(spec_buf *out, const json_t *step) {
  if (is(step, "found", "search"))
    spec_buf_printf(out, " (in %s)", is(step, "dir", "") ? "." : text_of(step, "dir"));
  else
    spec_buf_printf(out, " (%s)", text_of(step, "found"));
}

/* "a.c:1 -> b.h:3 (in include) -> c.h (beside)" */
static void add_chain(spec_buf *out, const json_t *chain) {
  json_t *step, *before = NULL;
  size_t i;
  json_array_foreach (chain, i, step) {
    if (before == NULL)
      spec_buf_str(out, text_of(step, "file"));
    if (json_object_get(step, "line") != NULL)
      spec_buf_printf(out, ":%d", (int)json_integer_value(json_object_get(step, "line")));
    if (before != NULL)
      add_found(out, before);
    spec_buf_printf(out, " -> %s", text_of(step, "includes"));
    before = step;
  }
  if (before != NULL)
    add_found(out, before);
  spec_buf_char(out, '\n');
}

/* --- the stage --- */

static void add_staged(spec_buf *out, const json_t *build) {
  static const char *const reasons[][2] = {
      {"includes-staged", "it finds an overridden file beside it"},
      {"beside-staged", "a staged file finds it beside"},
      {"macro-include", "it includes by a macro, beside an overridden header"},
      {"beside-macro", "a staged file beside it includes by a macro"},
      {"same-name", "a staged file of the same name would be found before it"},
      {"cmake-twin", "an overridden CMake file finds it there"},
  };
  const json_t *staged = json_object_get(build, "staged");
  if (staged == NULL)
    return;
  spec_buf_printf(out, "  in the stage: %s\n", in_build(build, text_of(staged, "path")));
  for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
    if (is(staged, "because", reasons[i][0]))
      spec_buf_printf(out, "    since %s\n", reasons[i][1]);
  if (json_array_size(json_object_get(staged, "chain")) > 0) {
    spec_buf_str(out, "    ");
    add_chain(out, json_object_get(staged, "chain"));
  }
}

/* --- units and rules --- */

/* The digest and the staged folders of a unit, and those that its whole target has. */
static void add_command(spec_buf *out, const json_t *unit, const char *indent) {
  if (!is(unit, "digest", "")) {
    spec_buf_printf(out, "%sdigest %s; staged include folders: ", indent, text_of(unit, "digest"));
    add_list(out, json_object_get(unit, "include_dirs"), "none");
    spec_buf_char(out, '\n');
  }
  if (json_object_get(unit, "target_digest") != NULL) {
    spec_buf_printf(out, "%sthe whole target (unity or precompiled header): digest %s; folders: ",
                    indent, text_of(unit, "target_digest"));
    add_list(out, json_object_get(unit, "target_include_dirs"), "none");
    spec_buf_char(out, '\n');
  }
}

static void add_unit(spec_buf *out, const json_t *build, const json_t *unit) {
  spec_buf_printf(out, "  compiled in %s from %s\n", text_of(unit, "target"),
                  in_build(build, text_of(unit, "file")));
  spec_buf_str(out, "    reaches ");
  add_list(out, json_object_get(unit, "overrides"), "no override");
  spec_buf_char(out, '\n');
  add_command(out, unit, "    ");
}

static void add_reaching(spec_buf *out, const json_t *unit) {
  spec_buf_str(out, "    ");
  add_chain(out, json_object_get(unit, "chain"));
  add_command(out, unit, "      ");
}

/* How many of a list belong to a target. */
static size_t count_of(const json_t *list, const char *target) {
  json_t *item;
  size_t i, count = 0;
  json_array_foreach (list, i, item)
    count += is(item, "target", target);
  return count;
}

static bool is_first_of_target(const json_t *list, size_t index) {
  const char *target = text_of(json_array_get(list, index), "target");
  for (size_t i = 0; i < index; i++)
    if (is(json_array_get(list, i), "target", target))
      return false;
  return true;
}

/* A list grouped by target: "<target>: <count> <what>s reach it". */
static void add_groups(spec_buf *out, const json_t *list, const char *what, bool all,
                       void (*add_one)(spec_buf *, const json_t *)) {
  json_t *item, *other;
  size_t i, k, targets = 0;
  json_array_foreach (list, i, item) {
    if (!is_first_of_target(list, i) || (++targets > MOST_TARGETS && !all))
      continue;
    const char *target = text_of(item, "target");
    size_t count = count_of(list, target), shown = 0;
    spec_buf_printf(out, "  %s: %zu %s%s reach%s it\n", target, count, what, plural(count),
                    count == 1 ? "es" : "");
    json_array_foreach (list, k, other)
      if (is(other, "target", target) && (all || shown < MOST_UNITS)) {
        add_one(out, other);
        shown++;
      }
    if (shown < count)
      spec_buf_printf(out, "    and %zu more (--all)\n", count - shown);
  }
  if (!all && targets > MOST_TARGETS)
    spec_buf_printf(out, "  and %zu more target%s (--all)\n", targets - MOST_TARGETS,
                    plural(targets - MOST_TARGETS));
}

static void add_rule(spec_buf *out, const json_t *rule) {
  spec_buf_str(out, "    ");
  if (json_array_size(json_object_get(rule, "chain")) > 0)
    add_chain(out, json_object_get(rule, "chain"));
  else
    spec_buf_printf(out, "%s itself\n", text_of(rule, "source"));
}

/* --- proof --- */

static void add_proof(spec_buf *out, const json_t *build, bool all) {
  const json_t *used = json_object_get(build, "used_by");
  size_t count = json_array_size(used);
  if (used == NULL)
    return;
  spec_buf_printf(out, "  proved by the last verify: %zu output%s read it%s", count, plural(count),
                  count == 0 ? "" : ": ");
  add_some(out, used, all);
}

static void add_build(spec_buf *out, const json_t *answer, bool all) {
  const json_t *build = json_object_get(answer, "build");
  json_t *unit;
  size_t i;
  spec_buf_printf(out, "in build %s\n", text_of(build, "folder"));
  if (json_is_true(json_object_get(build, "changed")))
    spec_buf_str(out, "  (trunk or overlay have changed since it was configured: this is what "
                      "configuring it again gives)\n");
  add_staged(out, build);
  json_array_foreach (json_object_get(build, "units"), i, unit)
    add_unit(out, build, unit);
  add_groups(out, json_object_get(build, "reached_by"), "unit", all, add_reaching);
  add_groups(out, json_object_get(build, "rules"), "TableGen rule", all, add_rule);
  const json_t *owners = json_object_get(build, "owners");
  if (json_array_size(owners) > 0) {
    spec_buf_str(out, "  owners: ");
    add_some(out, owners, all);
  } else if (json_is_true(json_object_get(answer, "overridden"))) {
    spec_buf_str(out, "  nothing uses it\n");
  }
  add_proof(out, build, all);
}

void spec_why_text(spec_buf *out, const json_t *answer, bool all) {
  add_plan(out, answer);
  if (json_object_get(answer, "build") != NULL)
    add_build(out, answer, all);
}
