/* usage.c: walking the link graph. */
#include "usage.h"

#include "base/buf.h"
#include "base/err.h"
#include "base/path.h"
#include <string.h>

int spec_usage_parts(const char *item, spec_part_fn *fn, void *user, spec_err *err) {
  if (strstr(item, "$<") == NULL)
    return fn(user, item, strlen(item), err);
  int rc = 0;
  for (const char *p = item; rc == 0 && *p != '\0';) {
    size_t len = strcspn(p, "$<>,:;");
    if (len > 0)
      rc = fn(user, p, len, err);
    p += len;
    p += *p != '\0';
  }
  return rc;
}

typedef struct list_builder {
  spec_arena *arena;
  spec_list *list;
  size_t cap;
} list_builder;

static int append(list_builder *b, const char *item, spec_err *err) {
  if (item == NULL)
    return spec_fail_memory(err);
  int rc = spec_arena_reserve(b->arena, &b->list->items, b->list->count, &b->cap,
                              sizeof *b->list->items, err);
  if (rc == 0)
    b->list->items[b->list->count++] = item;
  return rc;
}

/* The item with each $<CONFIG> replaced. */
static const char *with_config(spec_arena *arena, const char *item, const char *config) {
  static const char word[] = "$<CONFIG>";
  spec_buf text = {0};
  for (const char *p; (p = strstr(item, word)) != NULL; item = p + sizeof word - 1) {
    spec_buf_add(&text, item, (size_t)(p - item));
    spec_buf_str(&text, config);
  }
  spec_buf_str(&text, item);
  const char *out = spec_buf_failed(&text) ? NULL : spec_arena_strdup(arena, spec_buf_text(&text));
  spec_buf_dispose(&text);
  return out;
}

int spec_usage_configs(spec_arena *arena, spec_list *out, const spec_targets *targets,
                       const char *item, spec_err *err) {
  *out = (spec_list){0};
  list_builder b = {arena, out, 0};
  if (strstr(item, "$<CONFIG>") == NULL)
    return append(&b, item, err);
  int rc = 0;
  for (size_t i = 0; rc == 0 && i < targets->configs.count; i++)
    rc = append(&b, with_config(arena, item, targets->configs.items[i]), err);
  return rc == 0 && out->count == 0 ? append(&b, with_config(arena, item, ""), err) : rc;
}

/* --- the libraries a target uses, itself first --- */

typedef struct closure {
  const spec_targets *targets;
  spec_arena *arena;
  const spec_target **items;
  size_t count, cap;
  spec_map *seen;
} closure;

static int add_library(void *user, const char *part, size_t len, spec_err *err) {
  closure *c = user;
  const spec_target *t = spec_map_get_n(c->targets->by_name, part, len, NULL);
  if (t == NULL || spec_map_get(c->seen, t->name, NULL) != NULL)
    return SPEC_OK;
  int rc = spec_arena_reserve(c->arena, &c->items, c->count, &c->cap, sizeof *c->items, err);
  if (rc != 0)
    return rc;
  c->items[c->count++] = t;
  return spec_map_set(c->seen, t->name, c, err);
}

static int add_libraries(closure *c, const spec_list *links, spec_err *err) {
  int rc = 0;
  for (size_t i = 0; rc == 0 && i < links->count; i++)
    if (strstr(links->items[i], "$<LINK_ONLY:") == NULL)
      rc = spec_usage_parts(links->items[i], add_library, c, err);
  return rc;
}

static int close_links(spec_arena *arena, closure *out, const spec_targets *targets,
                       const spec_target *target, spec_err *err) {
  *out = (closure){.targets = targets, .arena = arena};
  int rc = spec_map_new(&out->seen, arena, err);
  if (rc == 0)
    rc = add_library(out, target->name, strlen(target->name), err);
  if (rc == 0)
    rc = add_libraries(out, &target->links, err);
  for (size_t i = 1; rc == 0 && i < out->count; i++)
    rc = add_libraries(out, &out->items[i]->ilinks, err);
  spec_map_free(out->seen);
  return rc;
}

/* --- include path --- */

typedef struct dir_adder {
  list_builder *to;
  const char *base; /* relative entries are relative to this folder */
} dir_adder;

static int add_dir(void *user, const char *part, size_t len, spec_err *err) {
  dir_adder *d = user;
  char *text = spec_arena_strndup(d->to->arena, part, len);
  if (text == NULL)
    return spec_fail_memory(err);
  /* Inside generator expressions only absolute paths are told from other words. */
  return append(d->to, spec_path_resolve(d->to->arena, d->base, text), err);
}

static int add_dirs(list_builder *to, const spec_targets *targets, const spec_list *dirs,
                    const char *base, spec_err *err) {
  int rc = 0;
  dir_adder d = {to, base};
  for (size_t i = 0; rc == 0 && i < dirs->count; i++) {
    spec_list each = {0};
    if (strstr(dirs->items[i], "$<INSTALL_INTERFACE:") == NULL)
      rc = spec_usage_configs(to->arena, &each, targets, dirs->items[i], err);
    for (size_t k = 0; rc == 0 && k < each.count; k++)
      rc = spec_usage_parts(each.items[k], add_dir, &d, err);
  }
  return rc;
}

/* Reads one word into `word`, which has room for all that is left, as a shell would: quotes and
 * backslashes keep a space.  Returns where it ends. */
static const char *read_word(char *word, size_t *len, const char *text, const char *end) {
  char quote = '\0';
  *len = 0;
  for (; text < end && (quote != '\0' || (*text != ' ' && *text != '\t')); text++) {
    if (quote != '\0' ? *text == quote : *text == '"' || *text == '\'') {
      quote = quote != '\0' ? '\0' : *text;
    } else {
      if (*text == '\\' && quote != '\'' && text + 1 < end)
        text++;
      word[(*len)++] = *text;
    }
  }
  return text;
}

static int split_words(list_builder *to, const char *text, size_t len, spec_err *err) {
  int rc = 0;
  char *word = spec_arena_alloc(to->arena, len + 1);
  if (word == NULL)
    return spec_fail_memory(err);
  for (const char *end = text + len; rc == 0 && text < end; text++) {
    size_t used;
    text = read_word(word, &used, text, end);
    if (used > 0)
      rc = append(to, spec_arena_strndup(to->arena, word, used), err);
  }
  return rc;
}

static int split_part(void *user, const char *part, size_t len, spec_err *err) {
  return split_words(user, part, len, err);
}

/* The words of compile options: "SHELL:a b" is two, a generator expression all that it may
 * become. */
static int add_options(list_builder *to, const spec_list *options, spec_err *err) {
  static const char shell[] = "SHELL:";
  int rc = 0;
  for (size_t i = 0; rc == 0 && i < options->count; i++) {
    const char *item = options->items[i];
    if (strstr(item, "$<") != NULL)
      rc = spec_usage_parts(item, split_part, to, err);
    else if (strncmp(item, shell, sizeof shell - 1) == 0)
      rc = split_words(to, item + sizeof shell - 1, strlen(item) - (sizeof shell - 1), err);
    else
      rc = append(to, item, err);
  }
  return rc;
}

/* Words that no property of the target holds: sources' own, and flags variables. */
static int add_fixed_words(list_builder *to, const spec_targets *targets, const spec_target *target,
                           spec_err *err) {
  int rc = 0;
  for (size_t i = 0; rc == 0 && i < target->soptions.count; i++)
    rc = spec_usage_parts(target->soptions.items[i], split_part, to, err);
  return rc != 0 ? rc : split_words(to, targets->flags, strlen(targets->flags), err);
}

/* Every word of the command line that comes from options and flags. */
static int command_words(spec_arena *arena, spec_list *out, const spec_targets *targets,
                         const closure *libraries, spec_err *err) {
  list_builder b = {arena, out, 0};
  *out = (spec_list){0};
  int rc = add_options(&b, &libraries->items[0]->options, err);
  for (size_t i = 1; rc == 0 && i < libraries->count; i++)
    rc = add_options(&b, &libraries->items[i]->ioptions, err);
  return rc != 0 ? rc : add_fixed_words(&b, targets, libraries->items[0], err);
}

/* The value of a flag that is written "-Fvalue" or "-F value", or NULL. */
static const char *flag_value(const spec_list *words, size_t i, const char *flag) {
  size_t len = strlen(flag);
  if (words->items == NULL || words->items[i] == NULL || strncmp(words->items[i], flag, len) != 0)
    return NULL;
  if (words->items[i][len] != '\0')
    return words->items[i] + len;
  const char *next = i + 1 < words->count ? words->items[i + 1] : NULL;
  if (next != NULL && i + 2 < words->count && strcmp(next, "-Xclang") == 0)
    return words->items[i + 2]; /* -Xclang -include -Xclang x.h */
  return next;
}

static int add_option_dirs(list_builder *to, const spec_list *words, const char *flag,
                           const char *base, spec_err *err) {
  int rc = 0;
  for (size_t i = 0; rc == 0 && i < words->count; i++) {
    const char *value = flag_value(words, i, flag);
    if (value != NULL)
      rc = append(to, spec_path_resolve(to->arena, base, value), err);
  }
  return rc;
}

/* Folders for which CMake writes -isystem, as far as properties tell: what libraries call so, and
 * all of a library whose own target property says so. */
static int add_system_dirs(list_builder *to, const closure *libraries, spec_err *err) {
  int rc = 0;
  for (size_t i = 0; rc == 0 && i < libraries->count; i++) {
    const spec_target *t = libraries->items[i];
    rc = add_dirs(to, libraries->targets, &t->isystem, t->dir, err);
    if (rc == 0 && i > 0 && t->system)
      rc = add_dirs(to, libraries->targets, &t->iincludes, t->dir, err);
  }
  return rc;
}

/* The path in the order of the command line. */
static int list_dirs(list_builder *to, const closure *libraries, const spec_list *words,
                     spec_err *err) {
  const spec_target *target = libraries->items[0];
  int rc = 0;
  if (target->current)
    rc = append(to, target->bin, err);
  if (rc == 0 && target->current)
    rc = append(to, target->dir, err);
  if (rc == 0)
    rc = add_dirs(to, libraries->targets, &target->includes, target->dir, err);
  for (size_t i = 1; rc == 0 && i < libraries->count; i++) {
    const spec_target *t = libraries->items[i];
    rc = add_dirs(to, libraries->targets, &t->iincludes, t->dir, err);
  }
  if (rc == 0)
    rc = add_option_dirs(to, words, "-iquote", target->dir, err);
  return rc != 0 ? rc : add_option_dirs(to, words, "-I", target->dir, err);
}

/* Compilers look into system folders last, also when -I names them too. */
static int sort_dirs(list_builder *out, const spec_list *dirs, const spec_list *systems,
                     spec_err *err) {
  spec_map *set = NULL;
  int rc = spec_map_new(&set, out->arena, err);
  for (size_t i = 0; rc == 0 && i < systems->count; i++)
    rc = spec_map_set(set, systems->items[i], set, err);
  for (int last = 0; last < 2; last++)
    for (size_t i = 0; rc == 0 && i < dirs->count; i++)
      if ((spec_map_get(set, dirs->items[i], NULL) != NULL) == (last == 1))
        rc = append(out, dirs->items[i], err);
  spec_map_free(set);
  return rc;
}

int spec_usage_includes(spec_arena *arena, spec_list *out, const spec_targets *targets,
                        const spec_target *target, spec_err *err) {
  spec_list all = {0}, systems = {0}, own = {0};
  list_builder dirs = {arena, &all, 0}, system = {arena, &systems, 0};
  list_builder options = {arena, &own, 0}, result = {arena, out, 0};
  closure libraries;
  spec_list words;
  *out = (spec_list){0};
  int rc = close_links(arena, &libraries, targets, target, err);
  if (rc == 0)
    rc = command_words(arena, &words, targets, &libraries, err);
  if (rc == 0)
    rc = list_dirs(&dirs, &libraries, &words, err);
  if (rc == 0)
    rc = add_system_dirs(&system, &libraries, err);
  if (rc == 0)
    rc = add_option_dirs(&options, &words, "-isystem", target->dir, err);
  for (size_t i = 0; rc == 0 && i < own.count; i++) {
    rc = append(&system, own.items[i], err);
    if (rc == 0)
      rc = append(&dirs, own.items[i], err);
  }
  if (rc == 0)
    rc = sort_dirs(&result, &all, &systems, err);
  return rc != 0 ? rc : add_option_dirs(&result, &words, "-idirafter", target->dir, err);
}

static int add_forced(list_builder *to, const spec_list *words, spec_err *err) {
  int rc = 0;
  for (size_t i = 0; rc == 0 && i < words->count; i++) {
    const char *value = flag_value(words, i, "-include");
    if (value == NULL)
      value = flag_value(words, i, "-imacros");
    if (value != NULL)
      rc = append(to, value, err);
  }
  return rc;
}

int spec_usage_fixed_forced(spec_arena *arena, spec_list *out, const spec_targets *targets,
                            const spec_target *target, spec_err *err) {
  spec_list words = {0};
  list_builder all = {arena, &words, 0}, b = {arena, out, 0};
  *out = (spec_list){0};
  int rc = add_fixed_words(&all, targets, target, err);
  return rc != 0 ? rc : add_forced(&b, &words, err);
}

int spec_usage_forced(spec_arena *arena, spec_list *out, const spec_targets *targets,
                      const spec_target *target, spec_err *err) {
  *out = (spec_list){0};
  list_builder b = {arena, out, 0};
  closure libraries;
  spec_list words, headers;
  int rc = close_links(arena, &libraries, targets, target, err);
  if (rc == 0)
    rc = command_words(arena, &words, targets, &libraries, err);
  if (rc == 0)
    rc = add_forced(&b, &words, err);
  if (rc == 0)
    rc = spec_usage_precompiled(arena, &headers, targets, target, err);
  for (size_t i = 0; rc == 0 && i < headers.count; i++)
    rc = append(&b, headers.items[i], err);
  return rc;
}

const spec_target *spec_usage_precompiler(const spec_targets *targets, const spec_target *target) {
  /* A chain is no longer than there are targets, unless it is a circle, which CMake refuses. */
  for (size_t i = 0; i < targets->count; i++) {
    const spec_target *from = spec_map_get(targets->by_name, target->pch_from, NULL);
    if (from == NULL)
      break;
    target = from;
  }
  return target;
}

typedef struct header_adder {
  list_builder *to;
  const char *dir;
} header_adder;

/* Within a generator expression the brackets of <name> are gone: both may be meant. */
static int add_header_part(void *user, const char *part, size_t len, spec_err *err) {
  header_adder *a = user;
  bool quoted = len > 2 && part[0] == '"' && part[len - 1] == '"';
  const char *name = spec_arena_strndup(a->to->arena, part + quoted, len - 2 * (size_t)quoted);
  int rc = append(a->to, name, err);
  return rc != 0 ? rc : append(a->to, spec_path_resolve(a->to->arena, a->dir, name), err);
}

/* <name> and "name" are looked for on the include path, anything else is a file. */
static int add_headers(list_builder *to, const spec_list *headers, const char *dir, spec_err *err) {
  int rc = 0;
  for (size_t i = 0; rc == 0 && i < headers->count; i++) {
    const char *header = headers->items[i];
    size_t len = strlen(header);
    if (strstr(header, "$<") != NULL) {
      header_adder parts = {to, dir};
      rc = spec_usage_parts(header, add_header_part, &parts, err);
      continue;
    }
    bool searched = len > 2 && ((header[0] == '<' && header[len - 1] == '>') ||
                                (header[0] == '"' && header[len - 1] == '"'));
    rc = append(to,
                searched ? spec_arena_strndup(to->arena, header + 1, len - 2)
                         : spec_path_resolve(to->arena, dir, header),
                err);
  }
  return rc;
}

int spec_usage_precompiled(spec_arena *arena, spec_list *out, const spec_targets *targets,
                           const spec_target *target, spec_err *err) {
  *out = (spec_list){0};
  list_builder b = {arena, out, 0};
  const spec_target *from = spec_usage_precompiler(targets, target);
  closure libraries;
  int rc = close_links(arena, &libraries, targets, from, err);
  if (rc == 0)
    rc = add_headers(&b, &from->pch, from->dir, err);
  for (size_t i = 1; rc == 0 && i < libraries.count; i++)
    rc = add_headers(&b, &libraries.items[i]->ipch, libraries.items[i]->dir, err);
  return rc;
}

int spec_usage_sources(spec_arena *arena, spec_source **out, size_t *count,
                       const spec_targets *targets, const spec_target *target, spec_err *err) {
  closure libraries;
  int rc = close_links(arena, &libraries, targets, target, err);
  if (rc != 0)
    return rc;
  size_t total = target->sources.count;
  for (size_t i = 1; i < libraries.count; i++)
    total += libraries.items[i]->isources.count;
  spec_source *sources = spec_arena_array(arena, total, sizeof *sources);
  if (sources == NULL)
    return spec_fail_memory(err);
  size_t n = 0;
  for (size_t k = 0; k < target->sources.count; k++)
    sources[n++] = (spec_source){target->sources.items[k], target};
  for (size_t i = 1; i < libraries.count; i++)
    for (size_t k = 0; k < libraries.items[i]->isources.count; k++)
      sources[n++] = (spec_source){libraries.items[i]->isources.items[k], libraries.items[i]};
  *out = sources;
  *count = n;
  return SPEC_OK;
}
