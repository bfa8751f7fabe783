/* hooks.c */
#include "package/hooks.h"

#include "base/err.h"
#include "base/path.h"
#include "package/made.h"
#include "package/py_module.h"
#include <ctype.h>
#include <string.h>

/* Hooks that extend a module's globals, and the module. */
static const struct {
  const char *name, *path, *functions; /* where spec_call() is, as that module sees it */
} extensions[] = {
    {"triton_extend_globals", "triton/__init__.py", "._flagtree_spec"},
    {"language_extend_globals", "triton/language/__init__.py", ".._flagtree_spec"},
};
enum { EXTENSIONS = sizeof extensions / sizeof *extensions };

typedef struct connector {
  spec_plan *plan;
  spec_member *members;
  size_t count;
  bool called[EXTENSIONS]; /* by an earlier layer's reason */
} connector;

static bool is_word_byte(char c) {
  return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

/* How often a name stands in a text as a word of its own. */
static size_t count_words(const char *text, const char *name) {
  size_t found = 0, len = strlen(name);
  for (const char *at = text; (at = strstr(at, name)) != NULL; at += len)
    found += (at == text || !is_word_byte(at[-1])) && !is_word_byte(at[len]);
  return found;
}

/* Whether a text has the name in quotes, as whoever asks for a hook does. */
static bool is_quoted(const char *text, const char *name) {
  size_t len = strlen(name);
  for (const char *at = text; (at = strstr(at, name)) != NULL; at += len)
    if (at > text && (at[-1] == '"' || at[-1] == '\'') && at[len] == at[-1])
      return true;
  return false;
}

static bool is_module(const spec_member *m) {
  return m->text != NULL && strcmp(spec_path_ext(m->path), ".py") == 0;
}

static bool is_asked_for(const connector *c, const spec_member *registry, const char *name) {
  for (size_t i = 0; i < c->count; i++)
    if (&c->members[i] != registry && is_module(&c->members[i]) &&
        is_quoted(c->members[i].text, name))
      return true;
  return false;
}

static spec_member *find(const connector *c, const char *path) {
  for (size_t i = 0; i < c->count; i++)
    if (strcmp(c->members[i].path, path) == 0)
      return &c->members[i];
  return NULL;
}

/* Puts the call at the end of the module that the hook extends, unless it is there. */
static int add_call(connector *c, size_t which, const char *vendor, spec_err *err) {
  spec_member *m = find(c, extensions[which].path);
  const char *name = extensions[which].name;
  if (m == NULL || m->text == NULL || c->called[which] || count_words(m->text, name) > 0)
    return SPEC_OK;
  const char *call =
      spec_arena_printf(c->plan->arena,
                        "# spec: the call of a hook that this trunk does not make itself\n"
                        "from %s import spec_call as _spec_call\n"
                        "_spec_call(\"%s\", globals())\n"
                        "del _spec_call\n",
                        extensions[which].functions, name);
  int rc = call == NULL ? spec_fail_memory(err) : spec_made_append(m, c->plan->arena, call, err);
  c->called[which] = true;
  if (rc == 0)
    spec_report(&c->plan->report, SPEC_F_HOOK_CALLED, vendor, name, m->path, NULL);
  return rc;
}

/* A name that the registry binds. With an __all__ it publishes the names in it alone. */
static int connect_name(connector *c, const spec_member *registry, bool lists,
                        const spec_py_name *bound, spec_err *err) {
  const char *name = spec_arena_strndup(c->plan->arena, bound->name.text, bound->name.len);
  if (name == NULL)
    return spec_fail_memory(err);
  for (size_t i = 0; i < EXTENSIONS; i++)
    if (strcmp(name, extensions[i].name) == 0)
      return add_call(c, i, registry->file, err);
  bool published = name[0] != '_' && (!lists || is_quoted(registry->text, name));
  /* What the registry itself uses serves its hooks. */
  bool serves = count_words(registry->text, name) > (lists ? 2 : 1);
  if (!published || serves || is_asked_for(c, registry, name))
    return SPEC_OK;
  const char *where = spec_arena_printf(c->plan->arena, "%s:%u", registry->file, bound->line);
  if (where == NULL)
    return spec_fail_memory(err);
  spec_report(&c->plan->report, SPEC_F_HOOK_UNUSED, where, name, NULL, NULL);
  return SPEC_OK;
}

static bool binds_all(const spec_py_module *module) {
  for (size_t i = 0; i < module->body.count; i++)
    for (size_t k = 0; k < module->body.items[i].binds.count; k++) {
      const spec_py_text *name = &module->body.items[i].binds.items[k].name;
      if (name->len == strlen("__all__") && memcmp(name->text, "__all__", name->len) == 0)
        return true;
    }
  return false;
}

static int connect_registry(connector *c, const spec_member *registry, spec_err *err) {
  spec_py_module module;
  spec_py_fault fault = {0};
  const spec_py_source source = {registry->text, registry->len, registry->file};
  int rc = spec_py_module_read(&module, &fault, c->plan->arena, &source, err);
  if (rc != 0 || fault.what != NULL) /* Python says it, with the vendor's line */
    return rc;
  bool lists = binds_all(&module);
  for (size_t i = 0; rc == 0 && i < module.body.count; i++) {
    const spec_py_statement *s = &module.body.items[i];
    for (size_t k = 0; rc == 0 && s->kind != SPEC_PY_IMPORT && k < s->binds.count; k++)
      rc = connect_name(c, registry, lists, &s->binds.items[k], err);
  }
  return rc;
}

int spec_hooks_connect(spec_plan *plan, spec_member *members, size_t count, spec_err *err) {
  connector c = {.plan = plan, .members = members, .count = count};
  int rc = 0;
  for (size_t i = 0; rc == 0 && i < count; i++)
    if (members[i].override != NULL && members[i].override->action == SPEC_HOOKS)
      rc = connect_registry(&c, &members[i], err);
  return rc;
}
