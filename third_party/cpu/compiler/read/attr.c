/* attr.c: reads attributes, dense ones aside. */
#include "reader.h"

#include "number.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Aliases within aliases may stand for more than any memory holds. */
#define MAX_WEIGHT (1 << 16)

/* Each new entry of a dictionary is compared with those before it. */
#define MAX_ENTRIES 1024

static const tc_attr *keep(tc_reader *r, const tc_attr *made) {
  tc_attr *kept = tc_reader_alloc(r, sizeof *kept);
  if (kept == NULL)
    return NULL;
  *kept = *made;
  kept->weight = 1;
  for (size_t i = 0; i < kept->count && kept->items != NULL; i++)
    kept->weight += kept->items[i]->weight;
  if (kept->weight <= MAX_WEIGHT)
    return kept;
  (void)tc_refuse(&r->scan, "an attribute of more than %d parts", MAX_WEIGHT);
  return NULL;
}

static const tc_attr *keep_text(tc_reader *r, tc_attr_kind kind, const char *text, size_t len) {
  const char *kept = tc_copy(r->arena, text, len);
  if (kept == NULL)
    (void)tc_no_memory(&r->scan);
  return kept == NULL ? NULL : keep(r, &(tc_attr){.kind = kind, .text = kept, .len = len});
}

/* A whole number of up to 64 bits; false when the type does not hold it. */
static bool read_whole(const tc_token *t, bool negative, const tc_type *type, uint64_t *bits) {
  unsigned width = type->kind == TC_INDEX ? 64 : type->width;
  char digits[32];
  if (t->len >= sizeof digits || memchr(t->start, '.', t->len) != NULL)
    return false;
  memcpy(digits, t->start, t->len);
  digits[t->len] = '\0';
  bool hex = t->len > 1 && digits[1] == 'x';
  errno = 0;
  uint64_t value = strtoull(digits, NULL, hex ? 16 : 10);
  uint64_t most = width >= 64 ? UINT64_MAX : ((uint64_t)1 << width) - 1;
  uint64_t least = (uint64_t)1 << ((width < 64 ? width : 64) - 1); /* the magnitude */
  bool fits = negative ? value <= least && type->sign != 'u'
                       : value <= (type->sign == 's' ? least - 1 : most);
  *bits = (negative ? 0 - value : value) & most;
  return errno == 0 && fits;
}

bool tc_read_number(tc_reader *r, const tc_type *type, uint64_t *bits) {
  const tc_token *t = &r->scan.token;
  if (type->kind == TC_INT && type->width == 1 &&
      (tc_is_name(&r->scan, "true") || tc_is_name(&r->scan, "false"))) {
    *bits = t->len == 4;
    return tc_next(&r->scan);
  }
  bool negative = tc_is(&r->scan, '-');
  if (negative && !tc_next(&r->scan))
    return false;
  if (t->kind != TC_NUMBER)
    return tc_refuse(&r->scan, "a number is wanted");
  bool hex = t->len > 1 && t->start[1] == 'x';
  if (type->kind == TC_FLOAT && !hex) {
    char digits[512]; /* strtod wants an end that is none of a number's characters */
    size_t len = t->len < sizeof digits - 1 ? t->len : sizeof digits - 1;
    if (t->len > len)
      return tc_refuse(&r->scan, "a number of more than %zu digits", len);
    memcpy(digits, t->start, len);
    digits[len] = '\0';
    double number = strtod(digits, NULL);
    *bits = tc_float_encode(type->format, negative ? -number : number);
    return tc_next(&r->scan);
  }
  tc_type as_bits = {.kind = TC_INT, .width = type->width, .sign = 'u'};
  bool whole = type->kind == TC_INT || type->kind == TC_INDEX;
  if ((!whole && type->kind != TC_FLOAT) || type->width > 64)
    return tc_refuse(&r->scan, "no number here has the type '%.100s'", type->text);
  if ((!whole && negative) || !read_whole(t, negative, whole ? type : &as_bits, bits))
    return tc_refuse(&r->scan, "'%s%.*s' is no '%.100s'", negative ? "-" : "",
                     t->len > 60 ? 60 : (int)t->len, t->start, type->text);
  return tc_next(&r->scan);
}

static int64_t sign_extended(uint64_t bits, const tc_type *type) {
  unsigned width = type->kind == TC_INDEX ? 64 : type->width;
  if (width >= 64 || type->sign == 'u' || (bits >> (width - 1) & 1) == 0)
    return (int64_t)bits;
  return (int64_t)(bits | UINT64_MAX << width);
}

/* The type behind a number, or the one that goes without saying. */
static const tc_type *read_number_type(tc_reader *r, bool whole) {
  tc_type plain = {.kind = TC_INT, .width = 64, .text = "i64"};
  if (!whole)
    plain = (tc_type){
        .kind = TC_FLOAT, .width = 64, .text = "f64", .format = tc_float_format_of("f64", 3)};
  if (tc_is(&r->scan, ':'))
    return tc_next(&r->scan) ? tc_read_type(r) : NULL;
  const tc_type *type = tc_types_intern(r->types, &plain);
  if (type == NULL)
    (void)tc_no_memory(&r->scan);
  return type;
}

/* More than 64 bits, which are kept as text. */
static const tc_attr *keep_wide(tc_reader *r, const tc_token *t, bool negative,
                                const tc_type *type) {
  tc_attr made = {.kind = TC_ATTR_INT, .type = type, .len = t->len};
  made.integer = negative ? -1 : 0;
  if (memchr(t->start, '.', t->len) != NULL) {
    (void)tc_refuse_at(&r->scan, t->start, "'%.*s' is no '%.100s'", t->len > 60 ? 60 : (int)t->len,
                       t->start, type->text);
    return NULL;
  }
  made.text = tc_copy(r->arena, t->start, t->len);
  return made.text == NULL ? ((void)tc_no_memory(&r->scan), NULL) : keep(r, &made);
}

/* 1, -1 : i8, 0x7FC00000 : f32. The type stands behind, so the number is read a second time. */
static const tc_attr *read_numeric(tc_reader *r) {
  const char *start = r->scan.token.start;
  bool negative = tc_took(&r->scan, '-');
  const tc_token t = r->scan.token;
  if (t.kind != TC_NUMBER) {
    (void)tc_refuse(&r->scan, "a number is wanted");
    return NULL;
  }
  const tc_type *type =
      tc_next(&r->scan) ? read_number_type(r, memchr(t.start, '.', t.len) == NULL) : NULL;
  if (type == NULL)
    return NULL;
  if (type->kind == TC_INT && type->width > 64)
    return keep_wide(r, &t, negative, type);
  tc_attr made = {.kind = type->kind == TC_FLOAT ? TC_ATTR_FLOAT : TC_ATTR_INT, .type = type};
  const char *end = r->scan.token.start;
  if (!tc_next_at(&r->scan, start) || !tc_read_number(r, type, &made.bits) ||
      !tc_next_at(&r->scan, end))
    return NULL;
  made.integer = type->kind == TC_FLOAT ? 0 : sign_extended(made.bits, type);
  if (type->kind == TC_INT && type->width == 1) {
    made.kind = TC_ATTR_BOOL;
    made.integer = (int64_t)made.bits;
  }
  return keep(r, &made);
}

static const tc_attr *read_array(tc_reader *r) {
  const tc_attr **items = NULL;
  size_t count = 0, cap = 0;
  if (!tc_next(&r->scan))
    return NULL;
  while (!tc_is(&r->scan, ']')) {
    if (!tc_reserve(r->arena, &items, count, &cap, sizeof *items))
      return (void)tc_no_memory(&r->scan), NULL;
    if ((items[count++] = tc_read_attr(r)) == NULL)
      return NULL;
    if (!tc_took(&r->scan, ','))
      break;
  }
  if (!tc_expect(&r->scan, ']'))
    return NULL;
  return keep(r, &(tc_attr){.kind = TC_ATTR_ARRAY, .items = items, .count = count});
}

/* `array<i32: 1, 2>`; the token is "array". */
static const tc_attr *read_dense_array(tc_reader *r) {
  tc_attr made = {.kind = TC_ATTR_DENSE_ARRAY};
  uint64_t *elements = NULL;
  size_t cap = 0;
  if (!tc_next(&r->scan) || !tc_expect(&r->scan, '<') || (made.type = tc_read_type(r)) == NULL)
    return NULL;
  bool more = tc_took(&r->scan, ':');
  while (more) {
    if (!tc_reserve(r->arena, &elements, made.count, &cap, sizeof *elements))
      return (void)tc_no_memory(&r->scan), NULL;
    if (!tc_read_number(r, made.type, &elements[made.count++]))
      return NULL;
    more = tc_took(&r->scan, ',');
  }
  made.elements = elements;
  return tc_expect(&r->scan, '>') ? keep(r, &made) : NULL;
}

/* The name of a dictionary's entry. */
static const char *read_key(tc_reader *r) {
  const tc_token t = r->scan.token;
  size_t len;
  const char *made = NULL;
  if (t.kind == TC_QUOTED)
    made = tc_unquote(r, t.start, t.len, &len);
  else if (t.kind == TC_NAME && (made = tc_copy(r->arena, t.start, t.len)) == NULL)
    (void)tc_no_memory(&r->scan);
  else if (t.kind != TC_NAME)
    (void)tc_refuse(&r->scan, "the name of an attribute is wanted");
  return made != NULL && tc_next(&r->scan) ? made : NULL;
}

const tc_attr *tc_read_dict(tc_reader *r) {
  tc_attr made = {.kind = TC_ATTR_DICT};
  const tc_attr **items = NULL;
  const char **names = NULL;
  size_t cap = 0, names_cap = 0;
  if (!tc_expect(&r->scan, '{'))
    return NULL;
  while (!tc_is(&r->scan, '}')) {
    if (!tc_reserve(r->arena, &items, made.count, &cap, sizeof *items) ||
        !tc_reserve(r->arena, &names, made.count, &names_cap, sizeof *names))
      return (void)tc_no_memory(&r->scan), NULL;
    const char *place = r->scan.token.start;
    if (made.count == MAX_ENTRIES) {
      (void)tc_refuse(&r->scan, "a dictionary of more than %d entries", MAX_ENTRIES);
      return NULL;
    }
    if ((names[made.count] = read_key(r)) == NULL)
      return NULL;
    for (size_t i = 0; i < made.count; i++)
      if (strcmp(names[i], names[made.count]) == 0) {
        (void)tc_refuse_at(&r->scan, place, "the attribute '%.100s' is there twice", names[i]);
        return NULL;
      }
    items[made.count] =
        tc_took(&r->scan, '=') ? tc_read_attr(r) : keep(r, &(tc_attr){.kind = TC_ATTR_UNIT});
    if (items[made.count++] == NULL)
      return NULL;
    if (!tc_took(&r->scan, ','))
      break;
  }
  made.items = items;
  made.names = names;
  return tc_expect(&r->scan, '}') ? keep(r, &made) : NULL;
}

/* @name, @"name", @outer::@inner */
static const tc_attr *read_symbol(tc_reader *r) {
  tc_attr made = {.kind = TC_ATTR_SYMBOL};
  const tc_attr **items = NULL;
  size_t cap = 0;
  for (bool first = true; first || tc_is(&r->scan, ':'); first = false) {
    if (!first && (!tc_next(&r->scan) || !tc_expect(&r->scan, ':')))
      return NULL;
    const tc_token t = r->scan.token;
    if (t.kind != TC_AT) {
      (void)tc_refuse(&r->scan, "a symbol is wanted");
      return NULL;
    }
    size_t len = t.len - 1;
    const char *name = t.start[1] == '"' ? tc_unquote(r, t.start + 1, t.len - 1, &len)
                                         : tc_copy(r->arena, t.start + 1, len);
    if (name == NULL || !tc_next(&r->scan))
      return (void)tc_no_memory(&r->scan), NULL;
    if (first) {
      made.text = name;
      made.len = len;
      continue;
    }
    if (!tc_reserve(r->arena, &items, made.count, &cap, sizeof *items) ||
        (items[made.count++] = keep_text(r, TC_ATTR_SYMBOL, name, len)) == NULL)
      return (void)tc_no_memory(&r->scan), NULL;
  }
  made.items = items;
  return keep(r, &made);
}

/* name or #name, and <...> behind it, as text. */
static const tc_attr *read_as_text(tc_reader *r) {
  const tc_token t = r->scan.token;
  size_t len = t.len, inner = 0;
  if (!tc_next(&r->scan))
    return NULL;
  if (tc_is(&r->scan, '<')) {
    /* Blanks before the bracket belong to the text: they are kept with the rest. */
    const char *bracket = r->scan.token.start;
    if (tc_read_balanced(r, &inner) == NULL)
      return NULL;
    len = (size_t)(bracket - t.start) + inner;
  }
  return keep_text(r, TC_ATTR_OTHER, t.start, len);
}

static const tc_attr *read_hash(tc_reader *r) {
  const tc_token t = r->scan.token;
  if (memchr(t.start, '.', t.len) != NULL)
    return read_as_text(r);
  const tc_name *alias = tc_names_find(&r->attrs_named, t.start, t.len);
  if (alias == NULL) {
    (void)tc_refuse(&r->scan, "'%.*s' stands for no attribute", t.len > 60 ? 60 : (int)t.len,
                    t.start);
    return NULL;
  }
  return tc_next(&r->scan) ? alias->value : NULL;
}

static const tc_attr *read_quoted(tc_reader *r) {
  tc_attr made = {.kind = TC_ATTR_STRING};
  made.text = tc_unquote(r, r->scan.token.start, r->scan.token.len, &made.len);
  return made.text != NULL && tc_next(&r->scan) ? keep(r, &made) : NULL;
}

/* What begins with a bare name: a word of the language, else a type. */
static const tc_attr *read_named(tc_reader *r) {
  static const char *const as_text[] = {"affine_map", "affine_set", "dense_resource",
                                        "strided",    "sparse",     "distinct"};
  bool is_true = tc_is_name(&r->scan, "true");
  if (is_true || tc_is_name(&r->scan, "false"))
    return tc_next(&r->scan) ? keep(r, &(tc_attr){.kind = TC_ATTR_BOOL, .integer = is_true}) : NULL;
  if (tc_is_name(&r->scan, "unit"))
    return tc_next(&r->scan) ? keep(r, &(tc_attr){.kind = TC_ATTR_UNIT}) : NULL;
  if (tc_is_name(&r->scan, "dense"))
    return tc_next(&r->scan) ? tc_read_dense(r) : NULL;
  if (tc_is_name(&r->scan, "array"))
    return read_dense_array(r);
  if (tc_is_name(&r->scan, "loc"))
    return tc_read_location(r);
  for (size_t i = 0; i < sizeof as_text / sizeof *as_text; i++)
    if (tc_is_name(&r->scan, as_text[i]))
      return read_as_text(r);
  const tc_type *type = tc_read_type(r);
  return type == NULL ? NULL : keep(r, &(tc_attr){.kind = TC_ATTR_TYPE, .type = type});
}

const tc_attr *tc_read_attr(tc_reader *r) {
  if (!tc_deeper(r))
    return NULL;
  tc_token_kind kind = r->scan.token.kind;
  const tc_attr *made = kind == TC_QUOTED                           ? read_quoted(r)
                        : kind == TC_NUMBER || tc_is(&r->scan, '-') ? read_numeric(r)
                        : kind == TC_AT                             ? read_symbol(r)
                        : kind == TC_HASH                           ? read_hash(r)
                        : tc_is(&r->scan, '[')                      ? read_array(r)
                        : tc_is(&r->scan, '{')                      ? tc_read_dict(r)
                                                                    : read_named(r);
  r->depth--;
  return made;
}

/* Notes the locations that a location refers to: their aliases may follow. */
static bool note_wanted(tc_reader *r, const char *start, const char *end) {
  tc_scan inner;
  tc_err ignored = {0};
  tc_scan_begin(&inner, start, (size_t)(end - start), &ignored);
  while (tc_next(&inner) && inner.token.kind != TC_END)
    if (inner.token.kind == TC_HASH &&
        tc_names_find(&r->wanted, inner.token.start, inner.token.len) == NULL &&
        !tc_names_add(&r->wanted, inner.token.start, inner.token.len, NULL))
      return tc_no_memory(&r->scan);
  return true;
}

const tc_attr *tc_read_location(tc_reader *r) {
  size_t len;
  const char *start = r->scan.token.start;
  if (!tc_next(&r->scan))
    return NULL;
  if (!tc_is(&r->scan, '(')) {
    (void)tc_expect(&r->scan, '(');
    return NULL;
  }
  const char *inner = tc_read_balanced(r, &len);
  if (inner == NULL || !note_wanted(r, inner, inner + len))
    return NULL;
  return keep_text(r, TC_ATTR_OTHER, start, (size_t)(inner + len - start));
}
