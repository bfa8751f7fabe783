/* signature.c: calls differ in how many positional arguments they have and in which names they
 * give. For each number of the former, what a function takes is a set of names that must be given
 * and a set of names that must not; so the comparison is exact, and finite. */
#include "package/signature.h"

#include "base/err.h"
#include "package/py_parse.h"
#include <string.h>

/* --- reading -------------------------------------------------------------------------------- */

/* One parameter, in the tokens [from, to); `kind`: what parameters are so far. */
static void add_parameter(spec_py_parser *p, spec_signature *out, size_t from, size_t to,
                          spec_parameter_kind *kind) {
  bool star = spec_py_op(p, from, '*'), stars = spec_py_op(p, from, SPEC_PY_POWER);
  if (spec_py_word(p, from, "/") || (from < to && spec_py_is(p->source, &p->tokens[from], "/"))) {
    for (size_t i = 0; i < out->count; i++)
      out->items[i].kind = SPEC_PARAMETER_POSITIONAL;
    return;
  }
  size_t name = from + (star || stars ? 1 : 0);
  spec_parameter_kind own = star ? SPEC_PARAMETER_REST : stars ? SPEC_PARAMETER_WORDS : *kind;
  if (star)
    *kind = SPEC_PARAMETER_NAMED;
  if (name >= to || !spec_py_is_kind(p, name, SPEC_PY_NAME))
    return;
  const spec_py_token *t = &p->tokens[name];
  out->items[out->count++] =
      (spec_parameter){.name = {p->source->text + t->start, t->end - t->start},
                       .kind = own,
                       .has_default = spec_py_find_op(p, from, to, '=', false) < to};
}

int spec_signature_read(spec_signature *out, spec_arena *arena, const spec_py_module *module,
                        const spec_py_statement *function, bool method, spec_err *err) {
  spec_py_parser p = {.source = &module->source, .tokens = module->tokens.items};
  spec_parameter_kind kind = SPEC_PARAMETER_ANY;
  size_t open = function->word;
  while (p.tokens[open].kind != SPEC_PY_OPEN || p.tokens[open].op != '(')
    open = spec_py_next(&p, open);
  size_t close = p.tokens[open].mate;
  *out = (spec_signature){.items = spec_arena_array(arena, close - open, sizeof *out->items)};
  if (out->items == NULL)
    return spec_fail_memory(err);
  for (size_t i = open + 1, end; i < close; i = end + 1) {
    end = spec_py_find_op(&p, i, close, ',', false);
    add_parameter(&p, out, i, end, &kind);
  }
  if (method && out->count > 0 && out->items[0].kind == SPEC_PARAMETER_ANY)
    out->items[0].kind = SPEC_PARAMETER_POSITIONAL;
  return SPEC_OK;
}

/* --- comparing ------------------------------------------------------------------------------ */

static bool is_positional(const spec_parameter *p) {
  return p->kind == SPEC_PARAMETER_POSITIONAL || p->kind == SPEC_PARAMETER_ANY;
}

static const spec_parameter *find_kind(const spec_signature *s, spec_parameter_kind kind) {
  for (size_t i = 0; i < s->count; i++)
    if (s->items[i].kind == kind)
      return &s->items[i];
  return NULL;
}

/* How many parameters positional arguments can fill. They come first. */
static size_t positional_count(const spec_signature *s) {
  size_t n = 0;
  while (n < s->count && is_positional(&s->items[n]))
    n++;
  return n;
}

static bool same_name(const spec_parameter *a, const spec_parameter *b) {
  return a->name.len == b->name.len && memcmp(a->name.text, b->name.text, a->name.len) == 0;
}

/* No call knows the names of *args and **kwargs. */
static bool has_name(const spec_parameter *p) {
  return p->kind != SPEC_PARAMETER_REST && p->kind != SPEC_PARAMETER_WORDS;
}

static void find_twins(spec_signature *a, spec_signature *b) {
  for (size_t i = 0; i < a->count; i++)
    a->items[i].twin = SIZE_MAX;
  for (size_t k = 0; k < b->count; k++)
    b->items[k].twin = SIZE_MAX;
  for (size_t i = 0; i < a->count; i++)
    for (size_t k = 0; k < b->count; k++) {
      if (has_name(&a->items[i]) && has_name(&b->items[k]) &&
          same_name(&a->items[i], &b->items[k])) {
        a->items[i].twin = k;
        b->items[k].twin = i;
      }
    }
}

/* Parameter i must be given by name in a call with n positional arguments. */
static bool must_be_named(const spec_signature *s, size_t i, size_t n) {
  const spec_parameter *p = &s->items[i];
  return !p->has_default &&
         (p->kind == SPEC_PARAMETER_NAMED || (p->kind == SPEC_PARAMETER_ANY && i >= n));
}

/* Parameter i can be given by name in such a call. */
static bool can_be_named(const spec_signature *s, size_t i, size_t n) {
  const spec_parameter *p = &s->items[i];
  return p->kind == SPEC_PARAMETER_NAMED || (p->kind == SPEC_PARAMETER_ANY && i >= n);
}

/* The name of parameter i would be given twice in such a call. */
static bool is_filled(const spec_signature *s, size_t i, size_t n) {
  return s->items[i].kind == SPEC_PARAMETER_ANY && i < n;
}

/* A positional-only parameter without default that n arguments leave empty; SIZE_MAX: none. */
static size_t left_empty(const spec_signature *s, size_t n) {
  for (size_t i = n; i < s->count; i++)
    if (s->items[i].kind == SPEC_PARAMETER_POSITIONAL && !s->items[i].has_default)
      return i;
  return SIZE_MAX;
}

static bool takes_count(const spec_signature *s, size_t n) {
  return (n <= positional_count(s) || find_kind(s, SPEC_PARAMETER_REST) != NULL) &&
         left_empty(s, n) == SIZE_MAX;
}

typedef struct comparison {
  spec_arena *arena;
  const spec_signature *before, *now;
  const char *why;
  bool failed;
} comparison;

/* Keeps the reason; {} in the format is the parameter's name. */
static void say(comparison *c, const char *format, const spec_parameter *p) {
  const char *mark = strstr(format, "{}");
  c->why = spec_arena_printf(c->arena, "%.*s%.*s%s", (int)(mark - format), format, (int)p->name.len,
                             p->name.text, mark + 2);
  c->failed = c->why == NULL;
}

static void say_renamed(comparison *c, const spec_parameter *was, const spec_parameter *is) {
  c->why = spec_arena_printf(c->arena, "parameter '%.*s' is named '%.*s' now", (int)was->name.len,
                             was->name.text, (int)is->name.len, is->name.text);
  c->failed = c->why == NULL;
}

/* Whether what is at the same position there is new, and what was there is gone. */
static const spec_parameter *renamed(const spec_signature *s, size_t i,
                                     const spec_signature *other) {
  const spec_parameter *p = i < other->count ? &other->items[i] : NULL;
  bool both = p != NULL && is_positional(&s->items[i]) && is_positional(p);
  return both && s->items[i].twin == SIZE_MAX && p->twin == SIZE_MAX ? p : NULL;
}

/* The new function needs parameter i, which the call does not give. */
static void say_needed(comparison *c, size_t i) {
  const spec_parameter *p = &c->now->items[i], *was = renamed(c->now, i, c->before);
  const spec_parameter *twin = p->twin != SIZE_MAX ? &c->before->items[p->twin] : NULL;
  if (was != NULL)
    say_renamed(c, was, p);
  else if (twin == NULL)
    say(c, "the new parameter '{}' has no default", p);
  else if (twin->has_default)
    say(c, "parameter '{}' has no default any more", p);
  else if (p->kind == SPEC_PARAMETER_NAMED)
    say(c, "parameter '{}' can be given by name only now", p);
  else if (p->kind == SPEC_PARAMETER_POSITIONAL)
    say(c, "parameter '{}' can be given by position only now", p);
  else
    say(c, "parameter '{}' has another position now", p);
}

/* The call gives the old function's parameter i by name, and the new one does not take it. */
static void say_refused(comparison *c, size_t i) {
  const spec_parameter *p = &c->before->items[i], *is = renamed(c->before, i, c->now);
  const spec_parameter *twin = p->twin != SIZE_MAX ? &c->now->items[p->twin] : NULL;
  if (is != NULL)
    say_renamed(c, p, is);
  else if (twin == NULL)
    say(c, "parameter '{}' is missing", p);
  else if (twin->kind == SPEC_PARAMETER_POSITIONAL)
    say(c, "parameter '{}' can be given by position only now", p);
  else
    say(c, "parameter '{}' has another position now", p);
}

/* The call has n positional arguments, which the old function takes and the new one does not. */
static void say_count(comparison *c, size_t n) {
  size_t room = positional_count(c->now), empty = left_empty(c->now, n);
  const spec_parameter *rest = find_kind(c->before, SPEC_PARAMETER_REST);
  if (empty != SIZE_MAX) {
    say_needed(c, empty);
  } else if (room >= positional_count(c->before)) {
    say(c, "it takes no further positional arguments (*{}) any more", rest);
  } else {
    const spec_parameter *p = &c->before->items[room];
    if (p->twin == SIZE_MAX)
      say(c, "parameter '{}' is missing", p);
    else if (c->now->items[p->twin].kind == SPEC_PARAMETER_NAMED)
      say(c, "parameter '{}' can be given by name only now", p);
    else
      say(c, "it takes fewer positional arguments: there is no room for '{}'", p);
  }
}

/* Names that the old function takes into **kwargs. */
static void compare_words(comparison *c, size_t n) {
  const spec_parameter *words = find_kind(c->before, SPEC_PARAMETER_WORDS);
  if (words == NULL)
    return;
  if (find_kind(c->now, SPEC_PARAMETER_WORDS) == NULL) {
    say(c, "it takes no further names (**{}) any more", words);
    return;
  }
  for (size_t i = 0; i < c->now->count && c->why == NULL; i++) {
    const spec_parameter *p = &c->now->items[i];
    bool refused_before = p->twin != SIZE_MAX && is_filled(c->before, p->twin, n);
    if (is_filled(c->now, i, n) && !refused_before)
      say(c, "'{}' was a name for **kwargs and is a parameter of its own now", p);
  }
}

static void compare_calls(comparison *c, size_t n) {
  bool words = find_kind(c->now, SPEC_PARAMETER_WORDS) != NULL;
  if (!takes_count(c->before, n))
    return;
  if (!takes_count(c->now, n)) {
    say_count(c, n);
    return;
  }
  for (size_t i = 0; i < c->now->count && c->why == NULL; i++) {
    size_t twin = c->now->items[i].twin;
    if (must_be_named(c->now, i, n) && (twin == SIZE_MAX || !must_be_named(c->before, twin, n)))
      say_needed(c, i);
  }
  for (size_t i = 0; i < c->before->count && c->why == NULL; i++) {
    size_t twin = c->before->items[i].twin;
    bool taken = twin != SIZE_MAX && can_be_named(c->now, twin, n);
    bool filled = twin != SIZE_MAX && is_filled(c->now, twin, n);
    if (can_be_named(c->before, i, n) && !taken && (filled || !words))
      say_refused(c, i);
  }
  if (c->why == NULL)
    compare_words(c, n);
}

int spec_signature_compare(const char **why, spec_arena *arena, spec_signature *before,
                           spec_signature *now, spec_err *err) {
  comparison c = {.arena = arena, .before = before, .now = now};
  size_t was = positional_count(before), is = positional_count(now);
  find_twins(before, now);
  for (size_t n = 0; n <= (was > is ? was : is) + 1 && c.why == NULL && !c.failed; n++)
    compare_calls(&c, n);
  if (c.failed)
    return spec_fail_memory(err);
  *why = c.why;
  return SPEC_OK;
}
