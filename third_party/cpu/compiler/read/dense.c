/* dense.c: reads `dense<...> : tensor<...>`. */
#include "reader.h"

#include <string.h>

typedef struct list {
  size_t count, cap;
  uint64_t *elements;
} list;

/* A list's number of elements must be that of the shape at each level. The elements' type is known
 * only behind the list, so this is read after it. */
static bool read_nested(tc_reader *r, const tc_type *type, size_t level, list *out) {
  if (level == type->rank) {
    if (!tc_reserve(r->arena, &out->elements, out->count, &out->cap, sizeof *out->elements))
      return tc_no_memory(&r->scan);
    return tc_read_number(r, type->element, &out->elements[out->count++]);
  }
  const char *start = r->scan.token.start;
  if (!tc_expect(&r->scan, '['))
    return false;
  int64_t count = 0;
  while (!tc_is(&r->scan, ']') && count <= type->shape[level]) {
    if (!read_nested(r, type, level + 1, out))
      return false;
    count++;
    if (!tc_took(&r->scan, ','))
      break;
  }
  if (count != type->shape[level])
    return tc_refuse_at(&r->scan, start, "the list has not the %lld elements of '%.100s'",
                        (long long)type->shape[level], type->text);
  return tc_expect(&r->scan, ']');
}

static int digit_of(char c) {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}

/* Bytes of "0x0A0B" into elements, little-endian, each of size bytes, or eight elements a byte. */
static bool take_bytes(const char *hex, size_t count, size_t size, bool packed, uint64_t *out) {
  size_t bytes = packed ? (count + 7) / 8 : count * size;
  for (size_t i = 0; i < bytes; i++) {
    int high = digit_of(hex[2 * i]), low = digit_of(hex[2 * i + 1]);
    if (high < 0 || low < 0)
      return false;
    uint64_t byte = (uint64_t)(high << 4 | low);
    for (size_t k = 0; packed && k < 8 && 8 * i + k < count; k++)
      out[8 * i + k] = byte >> k & 1;
    if (!packed)
      out[i / size] |= byte << 8 * (i % size);
  }
  return true;
}

/* "0x...": all elements, or one that stands for all. */
static bool read_blob(tc_reader *r, const tc_type *type, tc_attr *made) {
  const tc_token t = r->scan.token;
  unsigned width = type->element->kind == TC_INDEX ? 64 : type->element->width;
  size_t digits = t.len > 4 ? t.len - 4 : 0;
  if (t.len < 4 || t.start[1] != '0' || t.start[2] != 'x' || digits % 2 != 0 ||
      type->element->kind == TC_PTR || type->element->kind == TC_OTHER || width > 64)
    return tc_refuse(&r->scan, "no elements of '%.100s'", type->text);
  size_t size = width <= 8 ? 1 : (width + 7) / 8, bytes = digits / 2, count = (size_t)type->count;
  made->packed = width == 1 && bytes == (count + 7) / 8 && bytes != count;
  made->splat = !made->packed && bytes == size && count > 0;
  made->count = made->splat ? 1 : count;
  if (!made->splat && !made->packed && (count > bytes || bytes != count * size))
    return tc_refuse(&r->scan, "%zu bytes are no elements of '%.100s'", bytes, type->text);
  uint64_t *elements = tc_reader_alloc(r, made->count * sizeof *elements);
  if (elements == NULL)
    return false;
  if (!take_bytes(t.start + 3, made->count, size, made->packed, elements))
    return tc_refuse(&r->scan, "a blob of other than hexadecimal digits");
  for (size_t i = 0; i < made->count; i++)
    if (width < 64 && elements[i] >> width != 0)
      return tc_refuse(&r->scan, "an element of the blob is no '%.100s'", type->element->text);
  made->elements = elements;
  return tc_next(&r->scan);
}

static bool read_list(tc_reader *r, const tc_type *type, tc_attr *made) {
  list read = {0};
  if (!read_nested(r, type, 0, &read))
    return false;
  made->elements = read.elements;
  made->count = read.count;
  return true;
}

/* What is between the brackets, now that the type is known. */
static bool read_elements(tc_reader *r, const tc_type *type, tc_attr *made) {
  if (r->scan.token.kind == TC_QUOTED)
    return read_blob(r, type, made);
  if (tc_is(&r->scan, '>')) {
    return type->count == 0 || tc_refuse(&r->scan, "no elements for '%.100s'", type->text);
  }
  if (tc_is(&r->scan, '['))
    return read_list(r, type, made);
  uint64_t *one = tc_reader_alloc(r, sizeof *one);
  made->elements = one;
  made->count = 1;
  made->splat = true;
  return one != NULL && tc_read_number(r, type->element, one);
}

/* Equal elements are one that stands for all, however they were spelled; an empty tensor has none,
 * whatever would stand for all. */
static void fold(tc_attr *made) {
  bool same = made->count > 0 && made->elements != NULL;
  if (made->type->count == 0) {
    made->splat = false;
    made->count = 0;
    return;
  }
  for (size_t i = 1; i < made->count && same; i++)
    same = made->elements[i] == made->elements[0];
  if (same) {
    made->splat = true;
    made->packed = false;
    made->count = 1;
  }
}

const tc_attr *tc_read_dense(tc_reader *r) {
  tc_attr *made = tc_reader_alloc(r, sizeof *made);
  size_t len;
  if (made == NULL)
    return NULL;
  if (!tc_is(&r->scan, '<'))
    return (void)tc_expect(&r->scan, '<'), NULL;
  const char *start = tc_read_balanced(r, &len), *behind;
  if (start == NULL || !tc_expect(&r->scan, ':'))
    return NULL;
  const char *type_at = r->scan.token.start;
  const tc_type *type = tc_read_type(r);
  if (type == NULL)
    return NULL;
  if (type->kind != TC_TENSOR) {
    (void)tc_refuse_at(&r->scan, type_at, "dense elements of '%.100s', which is no tensor",
                       type->text);
    return NULL;
  }
  behind = r->scan.token.start;
  *made = (tc_attr){.kind = TC_ATTR_DENSE, .type = type, .weight = 1};
  if (!tc_next_at(&r->scan, start + 1) || !read_elements(r, type, made))
    return NULL;
  if (!tc_is(&r->scan, '>') || r->scan.token.start != start + len - 1)
    return (void)tc_refuse(&r->scan, "'>' is wanted behind the elements"), NULL;
  fold(made);
  return tc_next_at(&r->scan, behind) ? made : NULL;
}
