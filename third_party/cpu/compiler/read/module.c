/* module.c: a whole text: aliases, the module, and aliases behind it. */
#include "ops.h"
#include "reader.h"

#include <string.h>

typedef struct alias_list {
  tc_location_alias *items;
  size_t count, cap;
} alias_list;

static bool keep_location(tc_reader *r, const tc_token *t, bool behind, alias_list *aliases) {
  const tc_attr *value = tc_read_location(r);
  const char *name = value == NULL ? NULL : tc_copy(r->arena, t->start, t->len);
  if (value == NULL)
    return false;
  if (name == NULL ||
      !tc_reserve(r->arena, &aliases->items, aliases->count, &aliases->cap, sizeof *aliases->items))
    return tc_no_memory(&r->scan);
  aliases->items[aliases->count++] = (tc_location_alias){name, value, behind};
  return tc_names_add(&r->locations, name, t->len, NULL) || tc_no_memory(&r->scan);
}

/* `#a = attribute`, `#loc1 = loc(...)` or `!t = type` */
static bool read_alias(tc_reader *r, bool behind, alias_list *aliases) {
  const tc_token t = r->scan.token;
  bool type = t.kind == TC_BANG;
  tc_names *table = type ? &r->types_named : &r->attrs_named;
  if (memchr(t.start, '.', t.len) != NULL || t.len < 2)
    return tc_refuse(&r->scan, "the name of an alias has no dot");
  if (tc_names_find(table, t.start, t.len) != NULL ||
      tc_names_find(&r->locations, t.start, t.len) != NULL)
    return tc_refuse(&r->scan, "the alias '%.*s' is there twice", t.len > 60 ? 60 : (int)t.len,
                     t.start);
  if (!tc_next(&r->scan) || !tc_expect(&r->scan, '='))
    return false;
  if (!type && tc_is_name(&r->scan, "loc"))
    return keep_location(r, &t, behind, aliases);
  const void *value = type ? (const void *)tc_read_type(r) : (const void *)tc_read_attr(r);
  return value != NULL &&
         (tc_names_add(table, t.start, t.len, (void *)(uintptr_t)value) || tc_no_memory(&r->scan));
}

static bool read_aliases(tc_reader *r, bool behind, alias_list *aliases) {
  while (r->scan.token.kind == TC_HASH || r->scan.token.kind == TC_BANG)
    if (!read_alias(r, behind, aliases))
      return false;
  return true;
}

/* Every location that is referred to must be there. */
static bool check_locations(tc_reader *r) {
  for (const tc_name *at = r->wanted.newest; at != NULL; at = at->older)
    if (tc_names_find(&r->locations, at->text, at->len) == NULL)
      return tc_refuse_at(&r->scan, at->text, "'%.*s' stands for no location",
                          at->len > 60 ? 60 : (int)at->len, at->text);
  return true;
}

static bool read_module(tc_reader *r, tc_module *module) {
  alias_list aliases = {0};
  if (!tc_next(&r->scan) || !read_aliases(r, false, &aliases))
    return false;
  module->op = tc_read_op(r, NULL);
  if (module->op == NULL || !read_aliases(r, true, &aliases))
    return false;
  if (r->scan.token.kind != TC_END)
    return tc_refuse(&r->scan, "more follows behind the module");
  module->aliases = aliases.items;
  module->alias_count = aliases.count;
  return check_locations(r) && tc_check_module(&r->scan, module->op) &&
         tc_check_dominance(&r->scan, r->arena, module->op);
}

int tc_read(tc_module **out, const char *text, size_t len, tc_err *err) {
  tc_arena *arena = tc_arena_new();
  tc_module *module = arena == NULL ? NULL : tc_alloc(arena, sizeof *module);
  tc_reader *reader = module == NULL ? NULL : tc_alloc(arena, sizeof *reader);
  tc_types *types = reader == NULL ? NULL : tc_types_new(arena);
  if (types == NULL) {
    tc_arena_free(arena);
    *err = (tc_err){.code = TC_ENOMEM, .what = "out of memory"};
    return TC_ENOMEM;
  }
  *module = (tc_module){.arena = arena, .types = types};
  const tc_names names = {.arena = arena};
  *reader = (tc_reader){.arena = arena,
                        .types = types,
                        .types_named = names,
                        .attrs_named = names,
                        .locations = names,
                        .wanted = names,
                        .values = names};
  tc_scan_begin(&reader->scan, text, len, err);
  if (!read_module(reader, module)) {
    tc_arena_free(arena);
    return err->code;
  }
  *out = module;
  return TC_OK;
}

void tc_module_free(tc_module *module) {
  if (module != NULL)
    tc_arena_free(module->arena);
}
