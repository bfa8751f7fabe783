/* type.c: types, interned by the text that MLIR prints for them. */
#include "number.h"
#include "reader.h"

#include <stdlib.h>
#include <string.h>

/* Aliases within aliases may stand for more than any memory holds. */
#define MAX_TEXT (1 << 16)

struct tc_types {
  tc_arena *arena;
  tc_names known; /* text -> tc_type */
};

tc_types *tc_types_new(tc_arena *arena) {
  tc_types *made = tc_alloc(arena, sizeof *made);
  if (made != NULL)
    *made = (tc_types){.arena = arena, .known = {.arena = arena}};
  return made;
}

const tc_type *tc_types_intern(tc_types *types, const tc_type *made) {
  size_t len = strlen(made->text);
  const tc_name *known = tc_names_find(&types->known, made->text, len);
  if (known != NULL)
    return known->value;
  tc_type *kept = tc_alloc(types->arena, sizeof *kept);
  if (kept == NULL)
    return NULL;
  *kept = *made;
  kept->text = tc_copy(types->arena, made->text, len);
  if (kept->text == NULL || !tc_names_add(&types->known, kept->text, len, kept))
    return NULL;
  return kept;
}

/* Interns a type under a text made for it, which is freed. */
static const tc_type *intern(tc_reader *r, tc_type *made, tc_text *text) {
  const tc_type *kept = NULL;
  if (!text->failed && text->len > MAX_TEXT) {
    (void)tc_refuse(&r->scan, "a type of more than %d characters", MAX_TEXT);
  } else if (!text->failed) {
    made->text = text->data;
    kept = tc_types_intern(r->types, made);
  }
  if (kept == NULL)
    (void)tc_no_memory(&r->scan); /* unless another error is noted */
  tc_text_free(text);
  return kept;
}

/* i32, ui8, index, f32 and the like: the bare name at the token. */
static const tc_type *read_bare(tc_reader *r) {
  const tc_token *t = &r->scan.token;
  tc_type made = {.kind = TC_INDEX};
  tc_text text = {0};
  size_t sign = t->len > 1 && (*t->start == 's' || *t->start == 'u') && t->start[1] == 'i';
  size_t digits = sign + 1, width = 0;
  while (digits < t->len && t->start[digits] >= '0' && t->start[digits] <= '9' && width < 1 << 20)
    width = width * 10 + (size_t)(t->start[digits++] - '0');
  if (t->start[sign] == 'i' && t->len > sign + 1 && digits == t->len) {
    if (width == 0 || width > 1 << 16 || t->start[sign + 1] == '0') {
      (void)tc_refuse(&r->scan, "'%.*s': an integer has 1 to 65536 bits", (int)t->len, t->start);
      return NULL;
    }
    made = (tc_type){.kind = TC_INT, .width = (unsigned)width, .sign = sign ? *t->start : '\0'};
  } else if ((made.format = tc_float_format_of(t->start, t->len)) != NULL) {
    made.kind = TC_FLOAT;
    made.width = made.format->width;
  } else if (tc_is_name(&r->scan, "none")) {
    made.kind = TC_OTHER;
  } else if (!tc_is_name(&r->scan, "index")) {
    (void)tc_refuse(&r->scan, "unknown type '%.*s'", t->len > 60 ? 60 : (int)t->len, t->start);
    (void)tc_mend(&r->scan, "the types are i<N>, index, floats, tensor<...>, !tt.ptr<...>, "
                            "!tt.tensordesc<...> and functions");
    return NULL;
  }
  tc_add(&text, t->start, t->len);
  return tc_next(&r->scan) ? intern(r, &made, &text) : (tc_text_free(&text), NULL);
}

/* One `12x` at the token, which is what remains of a name after the last one. */
static bool read_size(tc_reader *r, int64_t *shape, size_t *rank, bool *found) {
  const char *start = r->scan.token.start, *at = start;
  int64_t size = 0;
  *found = false;
  if (tc_is(&r->scan, '?') || tc_is(&r->scan, '*')) {
    (void)tc_refuse(&r->scan, "a tensor of unknown shape");
    return tc_mend(&r->scan, "a tile has constant sizes");
  }
  while (at < r->scan.end && *at >= '0' && *at <= '9' && size < (int64_t)1 << 40)
    size = size * 10 + (*at++ - '0');
  if (at == start || at == r->scan.end || *at != 'x')
    return true;
  if (*rank == TC_MAX_RANK)
    return tc_refuse(&r->scan, "a tensor of more than %d dimensions", TC_MAX_RANK);
  if (size > (int64_t)1 << 40)
    return tc_refuse(&r->scan, "a size above 2^40");
  *found = true;
  shape[(*rank)++] = size;
  return tc_next_at(&r->scan, at + 1);
}

static bool count_elements(tc_reader *r, tc_type *made) {
  made->count = 1;
  for (size_t i = 0; i < made->rank; i++)
    if (__builtin_mul_overflow(made->count, made->shape[i], &made->count) ||
        made->count > (int64_t)1 << 40)
      return tc_refuse(&r->scan, "a tensor of more than 2^40 elements");
  return true;
}

/* `4x8xf32, encoding>`; text gets the same. */
static bool read_shaped(tc_reader *r, tc_type *made, tc_text *text) {
  int64_t shape[TC_MAX_RANK] = {0};
  bool more = true;
  while (more)
    if (!read_size(r, shape, &made->rank, &more))
      return false;
  int64_t *kept = tc_reader_alloc(r, made->rank * sizeof *kept);
  made->element = kept == NULL ? NULL : tc_read_type(r);
  if (made->element == NULL)
    return false;
  memcpy(kept, shape, made->rank * sizeof *kept);
  made->shape = kept;
  for (size_t i = 0; i < made->rank; i++)
    tc_add_format(text, "%lldx", (long long)shape[i]);
  tc_add_str(text, made->element->text);
  if (!count_elements(r, made))
    return false;
  if (tc_is(&r->scan, ',')) {
    const tc_attr *encoding = tc_next(&r->scan) ? tc_read_attr(r) : NULL;
    if (encoding == NULL)
      return false;
    tc_text spelled = {0};
    tc_print_attr(&spelled, encoding);
    made->encoding = spelled.failed ? NULL : tc_copy(r->arena, spelled.data, spelled.len);
    tc_text_free(&spelled);
    if (made->encoding == NULL)
      return tc_no_memory(&r->scan);
    tc_add_format(text, ", %s", made->encoding);
  }
  tc_add_char(text, '>');
  return tc_expect(&r->scan, '>');
}

/* The token is the '<'. */
static const tc_type *read_tensor(tc_reader *r) {
  tc_type made = {.kind = TC_TENSOR};
  tc_text text = {0};
  tc_add_str(&text, "tensor<");
  if (tc_expect(&r->scan, '<') && read_shaped(r, &made, &text)) {
    tc_type_kind of = made.element->kind;
    if (of != TC_TENSOR && of != TC_FUNCTION && of != TC_DESC)
      return intern(r, &made, &text);
    (void)tc_refuse(&r->scan, "a tensor of '%.100s'", made.element->text);
  }
  tc_text_free(&text);
  return NULL;
}

static const tc_type *read_descriptor(tc_reader *r) {
  tc_type made = {.kind = TC_DESC};
  tc_text text = {0};
  tc_add_str(&text, "!tt.tensordesc<");
  bool good = tc_expect(&r->scan, '<');
  made.of_tensor = good && tc_is_name(&r->scan, "tensor");
  if (made.of_tensor) {
    tc_add_str(&text, "tensor<");
    good = tc_next(&r->scan) && tc_expect(&r->scan, '<');
  }
  good = good && read_shaped(r, &made, &text);
  if (good && made.of_tensor) {
    tc_add_char(&text, '>');
    good = tc_expect(&r->scan, '>');
  }
  return good ? intern(r, &made, &text) : (tc_text_free(&text), NULL);
}

/* The address space: a number, or a word in quotes, which `const` pointers have. */
static bool read_space(tc_reader *r, tc_type *made, tc_token *word) {
  const tc_token *t = &r->scan.token;
  unsigned long space = t->kind == TC_NUMBER && t->len < 6 ? strtoul(t->start, NULL, 10) : 65536;
  if (t->kind == TC_QUOTED && memchr(t->start, '\\', t->len) == NULL)
    *word = *t;
  else if (space > 65535)
    return tc_refuse(&r->scan, "an address space is a number below 65536, or a word");
  else
    made->width = (unsigned)space;
  return tc_next(&r->scan);
}

static const tc_type *read_pointer(tc_reader *r) {
  tc_type made = {.kind = TC_PTR, .width = 1};
  tc_token word = {0};
  tc_text text = {0};
  made.element = tc_expect(&r->scan, '<') ? tc_read_type(r) : NULL;
  if (made.element == NULL)
    return NULL;
  if (tc_took(&r->scan, ',') && !read_space(r, &made, &word))
    return NULL;
  if (!tc_expect(&r->scan, '>'))
    return NULL;
  tc_add_format(&text, "!tt.ptr<%s", made.element->text);
  if (word.len > 0)
    tc_add_format(&text, ", %.*s", (int)word.len, word.start);
  else if (made.width != 1)
    tc_add_format(&text, ", %u", made.width);
  tc_add_char(&text, '>');
  return intern(r, &made, &text);
}

/* !dialect.name, !dialect.name<...> or !alias. */
static const tc_type *read_marked(tc_reader *r) {
  tc_token t = r->scan.token;
  if (!tc_next(&r->scan))
    return NULL;
  if (t.len == 7 && memcmp(t.start, "!tt.ptr", 7) == 0)
    return read_pointer(r);
  if (t.len == 14 && memcmp(t.start, "!tt.tensordesc", 14) == 0)
    return read_descriptor(r);
  const tc_name *alias = tc_names_find(&r->types_named, t.start, t.len);
  if (alias != NULL)
    return alias->value;
  if (memchr(t.start, '.', t.len) == NULL) {
    (void)tc_refuse_at(&r->scan, t.start, "'%.*s' stands for no type", t.len > 60 ? 60 : (int)t.len,
                       t.start);
    return NULL;
  }
  tc_type made = {.kind = TC_OTHER};
  tc_text text = {0};
  tc_add(&text, t.start, t.len);
  if (tc_is(&r->scan, '<')) {
    size_t len;
    const char *inner = tc_read_balanced(r, &len);
    if (inner == NULL)
      return tc_text_free(&text), NULL;
    tc_add(&text, inner, len);
  }
  return intern(r, &made, &text);
}

const tc_type *tc_read_type(tc_reader *r) {
  if (!tc_deeper(r))
    return NULL;
  const tc_type *made = NULL;
  if (r->scan.token.kind == TC_BANG) {
    made = read_marked(r);
  } else if (tc_is(&r->scan, '(')) {
    made = tc_read_function_type(r);
  } else if (tc_is_name(&r->scan, "tensor")) {
    made = tc_next(&r->scan) ? read_tensor(r) : NULL;
  } else if (r->scan.token.kind == TC_NAME) {
    made = read_bare(r);
  } else {
    (void)tc_refuse(&r->scan, "a type is wanted");
  }
  r->depth--;
  return made;
}

/* `(a, b)` */
static bool read_type_list(tc_reader *r, const tc_type *const **out, size_t *count) {
  const tc_type **types = NULL;
  size_t cap = 0;
  *count = 0;
  if (!tc_expect(&r->scan, '('))
    return false;
  while (!tc_is(&r->scan, ')')) {
    if (!tc_reserve(r->arena, &types, *count, &cap, sizeof *types))
      return tc_no_memory(&r->scan);
    if ((types[*count] = tc_read_type(r)) == NULL)
      return false;
    ++*count;
    if (!tc_took(&r->scan, ','))
      break;
  }
  *out = types;
  return tc_expect(&r->scan, ')');
}

static void add_type_list(tc_text *text, const tc_type *const *types, size_t count, bool bare) {
  if (bare && count == 1 && types != NULL && types[0]->kind != TC_FUNCTION) {
    tc_add_str(text, types[0]->text);
    return;
  }
  tc_add_char(text, '(');
  for (size_t i = 0; i < count && types != NULL; i++) {
    tc_add_str(text, i > 0 ? ", " : "");
    tc_add_str(text, types[i]->text);
  }
  tc_add_char(text, ')');
}

const tc_type *tc_read_function_type(tc_reader *r) {
  tc_type made = {.kind = TC_FUNCTION};
  tc_text text = {0};
  if (!read_type_list(r, &made.inputs, &made.input_count))
    return NULL;
  if (r->scan.token.kind != TC_ARROW) {
    (void)tc_refuse(&r->scan, "'->' is wanted");
    return NULL;
  }
  if (!tc_next(&r->scan))
    return NULL;
  if (tc_is(&r->scan, '(')) {
    if (!read_type_list(r, &made.results, &made.result_count))
      return NULL;
  } else {
    const tc_type **one = tc_reader_alloc(r, sizeof(tc_type *));
    if (one == NULL || (one[0] = tc_read_type(r)) == NULL)
      return NULL;
    made.results = one;
    made.result_count = 1;
  }
  add_type_list(&text, made.inputs, made.input_count, false);
  tc_add_str(&text, " -> ");
  add_type_list(&text, made.results, made.result_count, true);
  return intern(r, &made, &text);
}
