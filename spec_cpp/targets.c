/* targets.c: reading the target list. */
#include "targets.h"

#include "base/err.h"
#include "base/path.h"
#include <string.h>

typedef struct parser {
  spec_arena *arena;
  spec_targets *out;
  spec_target *target; /* the one being described, or NULL */
  size_t target_cap, td_cap, addition_cap, alias_cap, cmake_cap, needs_cap;
} parser;

/* How far an item goes that starts at text: up to a ';' outside $<...> and [...] that has no
 * backslash before it, or to the end. */
static size_t item_length(const char *text, size_t len) {
  size_t expressions = 0, brackets = 0;
  for (size_t i = 0; i < len; i++) {
    bool two = i + 1 < len;
    if (two &&
        ((text[i] == '$' && text[i + 1] == '<') || (text[i] == '\\' && text[i + 1] == ';'))) {
      expressions += text[i] == '$';
      i++;
    } else if (text[i] == '>' && expressions > 0) {
      expressions--;
    } else if (text[i] == '[') {
      brackets++;
    } else if (text[i] == ']' && brackets > 0) {
      brackets--;
    } else if (text[i] == ';' && expressions == 0 && brackets == 0) {
      return i;
    }
  }
  return len;
}

int spec_list_split(spec_arena *arena, spec_list *out, const char *text, size_t len,
                    spec_err *err) {
  spec_list list = {0};
  size_t cap = 0;
  for (size_t start = 0; start < len;) {
    size_t size = item_length(text + start, len - start);
    if (size > 0) {
      int rc = spec_arena_reserve(arena, &list.items, list.count, &cap, sizeof *list.items, err);
      const char *item = rc == 0 ? spec_arena_strndup(arena, text + start, size) : NULL;
      if (item == NULL)
        return rc != 0 ? rc : spec_fail_memory(err);
      list.items[list.count++] = item;
    }
    start += size + 1;
  }
  *out = list;
  return SPEC_OK;
}

static int parse_pair(spec_arena *arena, spec_pair *out, const char *value, size_t len,
                      spec_err *err) {
  const char *tab = memchr(value, '\t', len);
  if (tab == NULL || tab == value || tab + 1 == value + len)
    return spec_fail(err, SPEC_EPARSE, "two words with a tab between are expected");
  out->first = spec_arena_strndup(arena, value, (size_t)(tab - value));
  out->second = spec_arena_strndup(arena, tab + 1, len - (size_t)(tab + 1 - value));
  return out->first == NULL || out->second == NULL ? spec_fail_memory(err) : SPEC_OK;
}

static int add_pair(parser *p, spec_pair **array, size_t *count, size_t *cap, const char *value,
                    size_t len, spec_err *err) {
  int rc = spec_arena_reserve(p->arena, array, *count, cap, sizeof **array, err);
  if (rc == 0)
    rc = parse_pair(p->arena, &(*array)[*count], value, len, err);
  if (rc == 0)
    (*count)++;
  return rc;
}

static int add_target(parser *p, const char *name, spec_err *err) {
  int rc = spec_arena_reserve(p->arena, &p->out->items, p->out->count, &p->target_cap,
                              sizeof *p->out->items, err);
  if (rc != 0)
    return rc;
  p->target = &p->out->items[p->out->count++];
  *p->target = (spec_target){.name = name, .type = "", .dir = "", .bin = "", .pch_from = ""};
  return SPEC_OK;
}

/* Targets that compile nothing. */
static int add_utilities(parser *p, const char *value, size_t len, spec_err *err) {
  spec_list names = {0};
  int rc = spec_list_split(p->arena, &names, value, len, err);
  for (size_t i = 0; rc == 0 && i < names.count; i++) {
    rc = add_target(p, names.items[i], err);
    if (rc == 0)
      p->target->type = "UTILITY";
  }
  p->target = NULL; /* the next line describes none of them */
  return rc;
}

/* "name<tab>list" into a map that is made when it is first needed. */
static int add_list(parser *p, spec_map **map, const char *value, size_t len, spec_err *err) {
  spec_pair pair = {"", ""};
  int rc = parse_pair(p->arena, &pair, value, len, err);
  if (rc == 0 && *map == NULL)
    rc = spec_map_new(map, p->arena, err);
  spec_list *list = rc == 0 ? spec_arena_alloc(p->arena, sizeof *list) : NULL;
  if (rc != 0)
    return rc;
  if (list == NULL)
    return spec_fail_memory(err);
  rc = spec_list_split(p->arena, list, pair.second, strlen(pair.second), err);
  return rc != 0 ? rc : spec_map_set(*map, pair.first, list, err);
}

static int add_word(parser *p, spec_list *list, size_t *cap, const char *word, spec_err *err) {
  int rc = spec_arena_reserve(p->arena, &list->items, list->count, cap, sizeof *list->items, err);
  if (rc == 0)
    list->items[list->count++] = word;
  return rc;
}

static int parse_global(parser *p, const char *key, const char *value, size_t len, spec_err *err) {
  spec_targets *out = p->out;
  const char *copy = spec_arena_strndup(p->arena, value, len);
  if (copy == NULL)
    return spec_fail_memory(err);
  if (strcmp(key, "build") == 0)
    out->build = copy;
  else if (strcmp(key, "project") == 0)
    out->project = copy;
  else if (strcmp(key, "flags") == 0)
    out->flags = copy;
  else if (strcmp(key, "configs") == 0)
    return spec_list_split(p->arena, &out->configs, value, len, err);
  else if (strcmp(key, "target") == 0)
    return add_target(p, copy, err);
  else if (strcmp(key, "utilities") == 0)
    return add_utilities(p, value, len, err);
  else if (strcmp(key, "td") == 0)
    return add_pair(p, &out->tds, &out->td_count, &p->td_cap, value, len, err);
  else if (strcmp(key, "reads") == 0)
    return add_list(p, &out->td_reads, value, len, err);
  else if (strcmp(key, "alias") == 0)
    return add_pair(p, &out->aliases, &out->alias_count, &p->alias_cap, value, len, err);
  else if (strcmp(key, "addition") == 0)
    return add_pair(p, &out->additions, &out->addition_count, &p->addition_cap, value, len, err);
  else if (strcmp(key, "cmake") == 0)
    return add_word(p, &out->cmakes, &p->cmake_cap, copy, err);
  else if (strcmp(key, "needs") == 0)
    return add_word(p, &out->needs, &p->needs_cap, copy, err);
  else
    return spec_fail(err, SPEC_EPARSE, "unknown keyword '%s'", key);
  return SPEC_OK;
}

static int add_solo(parser *p, const char *value, size_t len, spec_err *err) {
  spec_target *t = p->target;
  int rc = t->solo == NULL ? spec_map_new(&t->solo, p->arena, err) : SPEC_OK;
  const char *file = rc == 0 ? spec_arena_strndup(p->arena, value, len) : NULL;
  if (file == NULL)
    return rc != 0 ? rc : spec_fail_memory(err);
  return spec_map_set(t->solo, file, t, err);
}

/* A line that belongs to the current target; *known false: not one of those. */
static int parse_member(parser *p, bool *known, const char *key, const char *value, size_t len,
                        spec_err *err) {
  spec_target *t = p->target;
  const struct {
    const char *key;
    spec_list *list;
  } lists[] = {
      {"sources", &t->sources},   {"isources", &t->isources},
      {"includes", &t->includes}, {"iincludes", &t->iincludes},
      {"links", &t->links},       {"ilinks", &t->ilinks},
      {"options", &t->options},   {"ioptions", &t->ioptions},
      {"soptions", &t->soptions}, {"pch", &t->pch},
      {"ipch", &t->ipch},         {"isystem", &t->isystem},
  };
  *known = true;
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
    if (strcmp(key, lists[i].key) == 0)
      return spec_list_split(p->arena, lists[i].list, value, len, err);
  if (strcmp(key, "source") == 0)
    return add_list(p, &t->source_includes, value, len, err);
  if (strcmp(key, "solo") == 0)
    return add_solo(p, value, len, err);
  const struct {
    const char *key;
    const char **text;
  } texts[] = {{"type", &t->type}, {"dir", &t->dir}, {"bin", &t->bin}, {"pchfrom", &t->pch_from}};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    if (strcmp(key, texts[i].key) == 0) {
      *texts[i].text = spec_arena_strndup(p->arena, value, len);
      return *texts[i].text == NULL ? spec_fail_memory(err) : SPEC_OK;
    }
  const struct {
    const char *key;
    bool *on;
  } switches[] = {{"current", &t->current}, {"unity", &t->unity}, {"system", &t->system}};
  for (size_t i = 0; i < sizeof switches / sizeof *switches; i++)
    if (strcmp(key, switches[i].key) == 0) {
      *switches[i].on = len == 2 && memcmp(value, "ON", 2) == 0;
      return SPEC_OK;
    }
  *known = false;
  return SPEC_OK;
}

static int parse_line(parser *p, const char *line, size_t len, spec_err *err) {
  if (memchr(line, '\0', len) != NULL)
    return spec_fail(err, SPEC_EPARSE, "the line holds a NUL");
  if (len > 0 && line[len - 1] == '\r')
    len--;
  if (len == 0)
    return SPEC_OK;
  char key[16];
  const char *space = memchr(line, ' ', len);
  size_t size = space == NULL ? len : (size_t)(space - line);
  if (size >= sizeof key)
    return spec_fail(err, SPEC_EPARSE, "'%.*s' is no keyword", (int)(size < 40 ? size : 40), line);
  memcpy(key, line, size);
  key[size] = '\0';
  const char *value = space == NULL ? line + len : space + 1;
  size_t value_len = len - (size_t)(value - line);
  bool known = false;
  int rc = 0;
  if (p->target != NULL)
    rc = parse_member(p, &known, key, value, value_len, err);
  return rc != 0 || known ? rc : parse_global(p, key, value, value_len, err);
}

static int index_names(spec_targets *out, spec_err *err) {
  int rc = 0;
  for (size_t i = 0; rc == 0 && i < out->count; i++)
    rc = spec_map_set(out->by_name, out->items[i].name, &out->items[i], err);
  for (size_t i = 0; rc == 0 && i < out->alias_count; i++) {
    spec_target *target = spec_map_get(out->by_name, out->aliases[i].second, NULL);
    if (target != NULL)
      rc = spec_map_set(out->by_name, out->aliases[i].first, target, err);
  }
  return rc;
}

int spec_targets_parse(spec_arena *arena, spec_targets *out, const char *text, size_t len,
                       const char *file, spec_err *err) {
  *out = (spec_targets){.build = "", .project = "", .flags = ""};
  parser p = {.arena = arena, .out = out};
  int rc = spec_map_new(&out->by_name, arena, err);
  size_t number = 0;
  for (const char *line = text, *end = text + len; rc == 0 && line < end;) {
    const char *newline = memchr(line, '\n', (size_t)(end - line));
    const char *stop = newline == NULL ? end : newline;
    number++;
    rc = parse_line(&p, line, (size_t)(stop - line), err);
    line = newline == NULL ? end : newline + 1;
  }
  if (rc == SPEC_EPARSE)
    spec_fail_where(err, "%s:%zu", file, number);
  if (rc == 0)
    rc = index_names(out, err);
  if (rc != 0)
    spec_targets_dispose(out);
  return rc;
}

void spec_targets_dispose(spec_targets *targets) {
  spec_map_free(targets->by_name);
  spec_map_free(targets->td_reads);
  targets->by_name = targets->td_reads = NULL;
  for (size_t i = 0; i < targets->count; i++) {
    spec_map_free(targets->items[i].source_includes);
    spec_map_free(targets->items[i].solo);
    targets->items[i].source_includes = targets->items[i].solo = NULL;
  }
}
