/* merge_imports.c */
#include "package/merge_imports.h"

#include "base/buf.h"
#include "base/err.h"
#include <string.h>

static bool is_plain(const spec_py_statement *s) {
  return s->kind == SPEC_PY_IMPORT || s->kind == SPEC_PY_FROM;
}

static bool is_word(const spec_py_module *module, size_t i, const char *word) {
  return spec_py_is(&module->source, &module->tokens.items[i], word);
}

/* Adds the text of the tokens [from, to), with blanks around `as` alone. */
static void add_tokens(spec_buf *out, const spec_py_module *module, size_t from, size_t to) {
  for (size_t i = from; i < to; i++) {
    const spec_py_token *t = &module->tokens.items[i];
    bool word = is_word(module, i, "as");
    spec_buf_str(out, word ? " " : "");
    spec_buf_add(out, module->source.text + t->start, t->end - t->start);
    spec_buf_str(out, word ? " " : "");
  }
}

/* Calls fn with "module:name as alias" of each name that a plain import imports, until one answers
 * false. */
static bool each_import(spec_merger *m, const spec_py_module *module, const spec_py_statement *s,
                        bool (*fn)(void *user, const char *key), void *user) {
  size_t from = s->first + 1, names = from, to = s->last, module_end = from;
  bool all = true;
  spec_buf key = {0};
  if (s->kind == SPEC_PY_FROM) {
    while (!is_word(module, names, "import"))
      names++;
    module_end = names++;
  }
  if (module->tokens.items[names].kind == SPEC_PY_OPEN) {
    to = module->tokens.items[names].mate;
    names++;
  }
  for (size_t i = names, end; i < to && all && m->rc == 0; i = end + 1) {
    for (end = i; end < to && !is_word(module, end, ",");)
      end++;
    spec_buf_clear(&key);
    add_tokens(&key, module, from, module_end);
    spec_buf_char(&key, ':');
    add_tokens(&key, module, i, end);
    if (spec_buf_failed(&key))
      m->rc = spec_fail_memory(m->err);
    else
      all = fn(user, spec_buf_text(&key));
  }
  spec_buf_dispose(&key);
  return all;
}

typedef struct reader {
  spec_imports *imports;
  spec_level *level;
  const spec_py_statement *statement;
} reader;

static bool remember(void *user, const char *key) {
  reader *r = user;
  spec_merger *m = r->level->m;
  m->rc = spec_map_set(r->imports->known, key, (void *)r->statement, m->err);
  return true;
}

static void read_statement(reader *r) {
  spec_merger *m = r->level->m;
  const spec_py_statement *s = r->statement;
  if (is_plain(s))
    (void)each_import(m, &m->trunk, s, remember, r);
  for (size_t i = 0; i < s->binds.count && m->rc == 0; i++) {
    const char *name = spec_merge_text(m, s->binds.items[i].name);
    if (m->rc == 0)
      m->rc = spec_map_set(r->imports->bound, name, (void *)s, m->err);
  }
}

void spec_imports_read(spec_imports *out, spec_level *level) {
  spec_merger *m = level->m;
  bool any = false;
  for (size_t i = 0; i < level->vendor.count; i++)
    any |= spec_is_import(&m->vendor, &level->vendor.items[i]);
  if (!any)
    return;
  m->rc = spec_map_new(&out->known, m->arena, m->err);
  if (m->rc == 0)
    m->rc = spec_map_new(&out->bound, m->arena, m->err);
  reader r = {.imports = out, .level = level};
  for (size_t i = 0; i < level->trunk.count && m->rc == 0; i++) {
    r.statement = &level->trunk.items[i];
    read_statement(&r);
  }
}

void spec_imports_free(spec_imports *imports) {
  spec_map_free(imports->known);
  spec_map_free(imports->bound);
}

/* Whether the trunk imports this, and has bound the name to nothing else since. */
static bool knows(void *user, const char *key) {
  const reader *r = user;
  const spec_py_statement *imported = spec_map_get(r->imports->known, key, NULL);
  const char *name = strchr(key, ':') + 1, *as = strstr(name, " as ");
  name = as != NULL ? as + 4 : name;
  const spec_py_statement *last = spec_map_get_n(r->imports->bound, name, strcspn(name, "."), NULL);
  bool both = imported != NULL && last != NULL && imported->kind == SPEC_PY_IMPORT &&
              last->kind == SPEC_PY_IMPORT; /* of parts of one package */
  return imported != NULL && (last == imported || both || *name == '*');
}

bool spec_imports_have(const spec_imports *imports, spec_level *level, const spec_py_statement *s) {
  spec_merger *m = level->m;
  if (!spec_is_import(&m->vendor, s))
    return false;
  for (size_t i = 0; i < level->trunk.count && !is_plain(s); i++) {
    const spec_py_statement *t = &level->trunk.items[i];
    if (spec_same_tokens(&m->vendor, s->first, s->last, &m->trunk, t->first, t->last))
      return true;
  }
  reader r = {.imports = (spec_imports *)imports, .level = level, .statement = s};
  return is_plain(s) && each_import(m, &m->vendor, s, knows, &r);
}
