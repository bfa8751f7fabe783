/* verify_td.c: what a TableGen rule reads, from its command: the same search as
 * tblgen's own, over the folders that the command names. */
#include "verify.h"

#include "base/err.h"
#include "base/path.h"
#include "scan.h"
#include <string.h>

/* One rule: its search path and its input. */
typedef struct td_rule {
  const char *output, *input, *cwd;
  const char **dirs;
  size_t dir_count, dir_cap;
  bool wrapped; /* the stage's twin of each trunk folder comes before it */
} td_rule;

typedef struct td_text {
  const char *text;
  spec_includes includes;
} td_text;

typedef struct td_check {
  spec_verifying *v;
  spec_tree *tree; /* of "/" */
  spec_map *texts; /* path -> td_text */
  spec_err *err;
} td_check;

/* The next word of a command, quotes and escapes removed; NULL at the end. */
static char *next_word(spec_arena *arena, const char **at) {
  const char *p = *at + strspn(*at, " ");
  if (*p == '\0')
    return NULL;
  spec_buf word = {0};
  char quote = '\0';
  for (; *p != '\0' && (quote != '\0' || *p != ' '); p++) {
    if (quote == '\0' && (*p == '"' || *p == '\''))
      quote = *p;
    else if (*p == quote)
      quote = '\0';
    else if (p[1] != '\0' && ((*p == '\\' && quote != '\'') || *p == '$')) /* '$' is Ninja's */
      spec_buf_char(&word, *++p);
    else
      spec_buf_char(&word, *p);
  }
  *at = p;
  char *copy = spec_buf_failed(&word) ? NULL : spec_arena_strdup(arena, spec_buf_text(&word));
  spec_buf_dispose(&word);
  return copy;
}

static int add_dir(td_check *c, td_rule *rule, const char *dir) {
  const char *path = dir == NULL ? NULL : spec_path_resolve(c->v->arena, rule->cwd, dir);
  if (path == NULL)
    return spec_fail_memory(c->err);
  int rc = spec_arena_reserve(c->v->arena, &rule->dirs, rule->dir_count, &rule->dir_cap,
                              sizeof *rule->dirs, c->err);
  if (rc == 0)
    rule->dirs[rule->dir_count++] = path;
  return rc;
}

/* What the wrapper does to a folder of the trunk. */
static int add_search_dir(td_check *c, td_rule *rule, const char *dir) {
  const char *path = spec_path_resolve(c->v->arena, rule->cwd, dir);
  const char *below = path == NULL ? NULL : spec_path_below(path, c->v->trunk);
  int rc = 0;
  if (rule->wrapped && below != NULL && spec_path_below(path, c->v->stage) == NULL)
    rc = add_dir(c, rule, spec_path_join(c->v->arena, c->v->stage, below));
  return rc != 0 ? rc : add_dir(c, rule, dir);
}

/* Reads "cd DIR && TBLGEN ... -I DIR ... FILE.td ..."; input stays NULL for a command of
 * another kind. */
static int read_command(td_check *c, td_rule *rule, const char *command) {
  bool in_tool = false;
  const char *word;
  int rc = 0;
  while (rc == 0 && (word = next_word(c->v->arena, &command)) != NULL) {
    const char *name = spec_path_basename(word);
    size_t len = strlen(word);
    if (strcmp(word, "&&") == 0 && in_tool)
      break;
    if (strcmp(word, "cd") == 0 && !in_tool)
      rule->cwd = next_word(c->v->arena, &command);
    else if (!in_tool && strstr(name, "tblgen") != NULL)
      in_tool = true;
    else if (in_tool && strncmp(word, "-I", 2) == 0)
      rc = add_search_dir(c, rule, len > 2 ? word + 2 : next_word(c->v->arena, &command));
    else if (in_tool && len > 3 && *word != '-' && strcmp(word + len - 3, ".td") == 0)
      rule->input = word;
    if (rule->cwd == NULL)
      return spec_fail_memory(c->err);
    rule->wrapped |= in_tool && !rule->wrapped && strcmp(name, "tblgen") == 0 &&
                     spec_path_below(word, c->v->build) != NULL;
  }
  return rc;
}

static int has_file(td_check *c, bool *out, const char *path) {
  return spec_tree_has_file(c->tree, out, path + 1, c->err);
}

/* The file that tblgen opens for a name, or NULL. */
static int open_td(td_check *c, const char **out, const td_rule *rule, const char *name) {
  const char *path = spec_path_resolve(c->v->arena, rule->cwd, name);
  bool has = false;
  int rc = path == NULL ? spec_fail_memory(c->err) : has_file(c, &has, path);
  for (size_t i = 0; rc == 0 && !has && i < rule->dir_count; i++) {
    path = spec_path_resolve(c->v->arena, rule->dirs[i], name);
    rc = path == NULL ? spec_fail_memory(c->err) : has_file(c, &has, path);
  }
  *out = has ? path : NULL;
  return rc;
}

static int text_of(td_check *c, td_text **out, const char *path) {
  *out = spec_map_get(c->texts, path, NULL);
  if (*out != NULL)
    return SPEC_OK;
  size_t len;
  td_text *made = spec_arena_alloc(c->v->arena, sizeof *made);
  if (made == NULL)
    return spec_fail_memory(c->err);
  int rc = spec_fs_read(c->v->arena, &made->text, &len, path, c->err);
  if (rc == 0)
    rc = spec_scan_td(c->v->arena, &made->includes, made->text, len, c->err);
  *out = made;
  return rc != 0 ? rc : spec_map_set(c->texts, path, made, c->err);
}

static int touch(td_check *c, const td_rule *rule, const char *path, const char *includer) {
  spec_proof *proof;
  switch (spec_verify_touch(c->v, &proof, path)) {
  case SPEC_TOUCH_USED:
    return spec_verify_use(c->v, proof, rule->output, c->err);
  case SPEC_TOUCH_SHADOWED:
    return spec_verify_shadow(c->v, proof, rule->output, includer, c->err);
  default:
    return SPEC_OK;
  }
}

static int follow(td_check *c, const td_rule *rule, spec_map *seen, const char *path,
                  const char *includer) {
  if (spec_map_get(seen, path, NULL) != NULL)
    return SPEC_OK;
  td_text *text = NULL;
  int rc = spec_map_set(seen, path, c, c->err);
  if (rc == 0)
    rc = touch(c, rule, path, includer);
  if (rc == 0)
    rc = text_of(c, &text, path);
  for (size_t i = 0; rc == 0 && i < text->includes.count; i++) {
    const spec_include *include = &text->includes.items[i];
    const char *next = NULL;
    rc = open_td(c, &next, rule, include->name);
    if (rc != 0 || next == NULL)
      continue;
    const char *place =
        spec_arena_printf(c->v->arena, "%s:%zu", path, spec_scan_line(text->text, include->offset));
    rc = place == NULL ? spec_fail_memory(c->err) : follow(c, rule, seen, next, place);
  }
  return rc;
}

static int on_edge(void *user, const char *output, void *value) {
  td_check *c = user;
  const spec_ninja_edge *edge = value;
  /* CMake lists an output twice, once through a variable. */
  if (edge->command == NULL || strstr(edge->command, "tblgen") == NULL || *output == '$')
    return SPEC_OK;
  td_rule rule = {.output = output, .cwd = c->v->build};
  int rc = read_command(c, &rule, edge->command);
  if (rc != 0 || rule.input == NULL)
    return rc;
  spec_map *seen;
  rc = spec_map_new(&seen, c->v->arena, c->err);
  const char *path = NULL;
  if (rc == 0)
    rc = open_td(c, &path, &rule, rule.input);
  if (rc == 0 && path != NULL)
    rc = follow(c, &rule, seen, path, "");
  spec_map_free(seen);
  return rc;
}

int spec_verify_tds(spec_verifying *v, spec_err *err) {
  td_check c = {.v = v, .err = err};
  int rc = spec_tree_new(&c.tree, v->arena, "/", err);
  if (rc == 0)
    rc = spec_map_new(&c.texts, v->arena, err);
  if (rc == 0)
    rc = spec_map_each(v->edges, on_edge, &c);
  spec_map_free(c.texts);
  spec_tree_free(c.tree);
  return rc;
}
