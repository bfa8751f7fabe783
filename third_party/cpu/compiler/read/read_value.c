/* read_value.c: what names of values stand for. */
#include "reader.h"

#include <stdlib.h>
#include <string.h>

/* What a name stands for: the results of an operation, or an argument. */
typedef struct binding {
  tc_value *values;
  size_t count;
  const char *place; /* where it was defined */
} binding;

bool tc_define(tc_reader *r, const tc_token *t, tc_value *values, size_t count) {
  const tc_name *known = tc_names_find(&r->values, t->start, t->len);
  if (known != NULL && known->mark >= r->isolated) {
    size_t line, column;
    tc_place_of(&r->scan, ((const binding *)known->value)->place, &line, &column);
    return tc_refuse_at(&r->scan, t->start, "'%.*s' is defined twice, first at %zu:%zu",
                        t->len > 60 ? 60 : (int)t->len, t->start, line, column);
  }
  binding *made = tc_reader_alloc(r, sizeof *made);
  if (made == NULL)
    return false;
  *made = (binding){values, count, t->start};
  return tc_names_add(&r->values, t->start, t->len, made) || tc_no_memory(&r->scan);
}

/* %name or %name#1 */
static tc_value *tc_read_use(tc_reader *r) {
  const tc_token t = r->scan.token;
  int shown = t.len > 60 ? 60 : (int)t.len;
  if (t.kind != TC_VALUE)
    return (void)tc_refuse(&r->scan, "a value is wanted"), NULL;
  if (!tc_next(&r->scan))
    return NULL;
  unsigned long index = 0;
  bool numbered = r->scan.token.kind == TC_HASH && r->scan.token.start == t.start + t.len;
  if (numbered) {
    char *end;
    index = strtoul(r->scan.token.start + 1, &end, 10);
    if (end != r->scan.token.start + r->scan.token.len || r->scan.token.len < 2)
      return (void)tc_refuse(&r->scan, "the number of a result is wanted"), NULL;
    if (!tc_next(&r->scan))
      return NULL;
  }
  const tc_name *known = tc_names_find(&r->values, t.start, t.len);
  if (known == NULL || known->mark < r->isolated) {
    (void)tc_refuse_at(&r->scan, t.start, "'%.*s' is used and not defined before", shown, t.start);
    return NULL;
  }
  const binding *found = known->value;
  if (index >= found->count || (!numbered && found->count > 1)) {
    (void)tc_refuse_at(&r->scan, t.start, "'%.*s' has %zu results, counted from #0", shown, t.start,
                       found->count);
    return NULL;
  }
  return &found->values[index];
}

/* `%a, %b` to the closing character. */
bool tc_read_uses(tc_reader *r, char end, tc_value ***out, size_t *count) {
  size_t cap = 0;
  *count = 0;
  while (!tc_is(&r->scan, end) && !tc_is(&r->scan, ':')) {
    if (!tc_reserve(r->arena, out, *count, &cap, sizeof **out))
      return tc_no_memory(&r->scan);
    if (((*out)[*count] = tc_read_use(r)) == NULL)
      return false;
    ++*count;
    if (!tc_took(&r->scan, ','))
      break;
  }
  return true;
}

bool tc_add_use(tc_reader *r, tc_op *op, size_t index) {
  tc_use *use = tc_reader_alloc(r, sizeof *use);
  if (use == NULL)
    return false;
  *use = (tc_use){op, index, op->operands[index]->uses};
  op->operands[index]->uses = use;
  return true;
}
