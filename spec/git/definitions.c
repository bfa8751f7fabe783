/* definitions.c */
#include "git/definitions.h"

#include "base/buf.h"
#include "base/err.h"
#include "package/py_module.h"

typedef struct composing {
  const spec_py_module *vendor, *trunk, *before; /* before: NULL when there is none */
  spec_buf out;
  uint32_t at; /* bytes of the vendor's text that are dealt with */
} composing;

static int read_module(spec_py_module *out, const char **why, spec_arena *arena, spec_line text,
                       spec_err *err) {
  spec_py_fault fault = {0};
  const spec_py_source source = {text.text, text.len, ""};
  int rc = spec_py_module_read(out, &fault, arena, &source, err);
  *why = rc == 0 ? fault.what : NULL;
  return rc;
}

/* The name that a statement defines, if it is one that can be exchanged by itself. */
static bool defines(spec_py_text *name, const spec_py_statement *s) {
  bool fits = s->kind == SPEC_PY_FUNCTION || s->kind == SPEC_PY_CLASS || s->kind == SPEC_PY_ASSIGN;
  if (!fits || s->shares_line || s->binds.count != 1)
    return false;
  *name = s->binds.items[0].name;
  return true;
}

/* The last definition of a name in a block, which is the one that counts; NULL: none. */
static const spec_py_statement *find(const spec_py_block *block, const spec_py_statement *like) {
  const spec_py_statement *found = NULL;
  spec_py_text wanted = {0}, name;
  (void)defines(&wanted, like);
  for (size_t i = 0; block != NULL && i < block->count; i++)
    if (block->items[i].kind == like->kind && defines(&name, &block->items[i]) &&
        name.len == wanted.len && memcmp(name.text, wanted.text, name.len) == 0)
      found = &block->items[i];
  return found;
}

static void copy_until(composing *c, uint32_t end) {
  if (end > c->at)
    spec_buf_add(&c->out, c->vendor->source.text + c->at, end - c->at);
  c->at = end > c->at ? end : c->at;
}

/* Classes within classes, as deep as their texts nest. */
static void compose(composing *c, const spec_py_block *vendor, const spec_py_block *trunk,
                    const spec_py_block *before) { /* NOLINT(misc-no-recursion) */
  spec_py_text name;
  for (size_t i = 0; i < vendor->count; i++) {
    const spec_py_statement *own = &vendor->items[i];
    if (!defines(&name, own))
      continue;
    const spec_py_statement *theirs = find(trunk, own), *earlier = find(before, own);
    if (theirs == NULL && earlier != NULL) {
      copy_until(c, own->lines_start);
      c->at = own->lines_end;
    } else if (theirs != NULL && own->kind == SPEC_PY_CLASS) {
      compose(c, &own->body, &theirs->body, earlier != NULL ? &earlier->body : NULL);
    } else if (theirs != NULL) {
      copy_until(c, own->start);
      spec_buf_add(&c->out, c->trunk->source.text + theirs->start, theirs->end - theirs->start);
      c->at = own->end;
    }
  }
}

int spec_definitions_of(spec_line *out, const char **why, spec_arena *arena, spec_line vendor,
                        spec_line trunk, spec_line before, spec_err *err) {
  spec_py_module modules[3] = {0}; /* a text that is not there has no statement */
  const spec_line texts[] = {vendor, trunk, before};
  int rc = 0;
  *out = (spec_line){0};
  *why = NULL;
  for (size_t i = 0; i < 3 && rc == 0 && *why == NULL; i++)
    if (texts[i].text != NULL)
      rc = read_module(&modules[i], why, arena, texts[i], err);
  if (rc != 0 || *why != NULL)
    return rc;
  const bool has_before = before.text != NULL;
  composing c = {&modules[0], &modules[1], has_before ? &modules[2] : NULL, {0}, 0};
  compose(&c, &modules[0].body, &modules[1].body, has_before ? &modules[2].body : NULL);
  copy_until(&c, (uint32_t)vendor.len);
  bool failed = spec_buf_failed(&c.out);
  out->text = failed ? NULL : spec_arena_strndup(arena, spec_buf_text(&c.out), c.out.len);
  out->len = c.out.len;
  spec_buf_dispose(&c.out);
  return out->text == NULL ? spec_fail_memory(err) : SPEC_OK;
}
