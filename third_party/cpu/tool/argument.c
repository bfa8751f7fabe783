/* argument.c: from a word to elements in memory, and from these to text. */
#define _GNU_SOURCE
#include "argument.h"

#include "compiler/read/number.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ALIGN ((size_t)64) /* of arrays, as Triton assumes 16 where it is not told otherwise */

static const tool_type types[] = {
    {"i1", 'b', 1, false, NULL},   {"i8", 'b', 8, true, NULL},    {"u8", 'b', 8, false, NULL},
    {"i16", 'h', 16, true, NULL},  {"u16", 'h', 16, false, NULL}, {"i32", 'w', 32, true, NULL},
    {"u32", 'w', 32, false, NULL}, {"i64", 'q', 64, true, NULL},  {"u64", 'q', 64, false, NULL},
    {"f16", 'H', 16, true, NULL},  {"bf16", 'B', 16, true, NULL}, {"f32", 'f', 32, true, NULL},
    {"f64", 'd', 64, true, NULL},
};

static bool find_type(tool_type *out, const char *name) {
  const tc_float_format *format = tc_float_format_of(name, strlen(name));
  if (format != NULL && format->width == 8)
    *out = (tool_type){format->name, 'e', 8, true, NULL};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (strcmp(types[i].name, name) == 0)
      *out = types[i];
  out->format = format;
  return out->name != NULL;
}

/* Elements. */

static size_t bytes_of(const tool_type *type) {
  return type->width < 8 ? 1 : type->width / 8;
}

static void put(const tool_argument *a, size_t i, uint64_t bits) {
  if (a->type.width <= 8)
    ((uint8_t *)a->data)[i] = (uint8_t)bits;
  else if (a->type.width == 16)
    ((uint16_t *)a->data)[i] = (uint16_t)bits;
  else if (a->type.width == 32)
    ((uint32_t *)a->data)[i] = (uint32_t)bits;
  else
    ((uint64_t *)a->data)[i] = bits;
}

static uint64_t get(const tool_argument *a, size_t i) {
  if (a->type.width <= 8)
    return ((const uint8_t *)a->data)[i];
  if (a->type.width == 16)
    return ((const uint16_t *)a->data)[i];
  return a->type.width == 32 ? ((const uint32_t *)a->data)[i] : ((const uint64_t *)a->data)[i];
}

/* The bits of a number; false if it is none, or out of the type's range. */
static bool read_number(uint64_t *out, const tool_type *type, const char *text) {
  char *end = NULL;
  int base = strncmp(text, "0x", 2) == 0 ? 16 : 10;
  uint64_t most = UINT64_MAX >> (64 - type->width);
  errno = 0;
  if (type->format != NULL) {
    *out = tc_float_encode(type->format, strtod(text, &end));
    errno = 0; /* beyond the range of a double there are infinity and 0 */
  } else if (text[0] == '-') {
    long long number = strtoll(text, &end, base);
    *out = (uint64_t)number;
    if (!type->is_signed || number < -(int64_t)(most >> 1) - 1)
      return false;
  } else {
    *out = strtoull(text, &end, base);
    if (*out > (type->is_signed ? most >> 1 : most))
      return false;
  }
  return errno == 0 && end != text && *end == '\0';
}

/* The next number of splitmix64. */
static uint64_t next_random(uint64_t *state) {
  uint64_t x = *state += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

/* Floats from 0 to 1, integers of all values of their type. */
static uint64_t random_bits(const tool_type *type, uint64_t *state) {
  uint64_t x = next_random(state);
  return type->format != NULL ? tc_float_encode(type->format, (double)(x >> 11) * 0x1p-53)
                              : x >> (64 - type->width);
}

static int fill_from_file(const tool_argument *a, const char *path) {
  tool_source source = {0};
  int status = tool_slurp(&source, path);
  if (status == TOOL_OK && source.text.len != a->size)
    status = tool_fail("'%s' has %zu bytes, but %zu elements of %s have %zu", path, source.text.len,
                       a->count, a->type.name, a->size);
  else if (status == TOOL_OK && a->size > 0)
    memcpy(a->data, source.text.data, a->size);
  tc_text_free(&source.text);
  return status;
}

static int fill(const tool_argument *a, const char *word, size_t number) {
  uint64_t bits = 0, state = number;
  const char *value = a->value;
  bool counts = a->is_array && value != NULL && strcmp(value, "arange") == 0;
  bool draws = a->is_array && value != NULL && strcmp(value, "random") == 0;
  if (a->is_array && value != NULL && value[0] == '@')
    return fill_from_file(a, value + 1);
  if (value != NULL && !counts && !draws && !read_number(&bits, &a->type, value))
    return tool_fail("argument %zu, '%s': '%s' is no number of type %s%s", number, word, value,
                     a->type.name, a->is_array ? ", nor is it arange, random or @FILE" : "");
  for (size_t i = 0; i < a->count; i++) {
    if (counts)
      bits = a->type.format != NULL ? tc_float_encode(a->type.format, (double)i) : i;
    else if (draws)
      bits = random_bits(&a->type, &state);
    put(a, i, counts && a->type.width == 1 ? bits & 1 : bits);
  }
  return TOOL_OK;
}

/* Words. */

/* Cuts ":out" or ":out=FILE" off the word. */
static void cut_out(tool_argument *a) {
  for (char *at = a->word; (at = strstr(at, ":out")) != NULL; at++)
    if (at[4] == '\0' || at[4] == '=') {
      a->is_printed = at[4] == '\0';
      a->file = at[4] == '=' ? at + 5 : NULL;
      *at = '\0';
      return;
    }
}

/* Cuts "[COUNT]" off the word; false where that is none. */
static bool cut_count(tool_argument *a) {
  char *open = strchr(a->word, '['), *end = NULL;
  a->count = 1;
  if (open == NULL)
    return true;
  *open = '\0';
  a->is_array = true;
  errno = 0;
  unsigned long long count = strtoull(open + 1, &end, 10);
  a->count = (size_t)count;
  return open[1] >= '0' && open[1] <= '9' && errno == 0 && strcmp(end, "]") == 0 &&
         count <= SIZE_MAX / 16;
}

int tool_argument_read(tool_argument *out, const char *word, size_t i) {
  out->word = strdup(word);
  if (out->word == NULL)
    return tool_fail("out of memory");
  cut_out(out);
  char *value = strchr(out->word, '=');
  if (value != NULL) {
    *value = '\0';
    out->value = value + 1;
  }
  if (!cut_count(out))
    return tool_fail("argument %zu, '%s': no number of elements, as in f32[8]", i, word);
  if (!find_type(&out->type, out->word))
    return tool_fail("argument %zu, '%s': unknown type '%s'; there are i1, i8 to i64, u8 to u64, "
                     "f16, bf16, f32, f64, f8E5M2, f8E4M3FN and MLIR's other floats of 8 bits",
                     i, word, out->word);
  if (!out->is_array && (out->value == NULL || out->is_printed || out->file != NULL))
    return tool_fail("argument %zu, '%s': a number is TYPE=NUMBER, an array "
                     "TYPE[COUNT][=VALUE][:out[=FILE]]",
                     i, word);
  out->size = out->count * bytes_of(&out->type);
  out->data = aligned_alloc(ALIGN, (out->size + ALIGN) / ALIGN * ALIGN);
  if (out->data == NULL)
    return tool_fail("argument %zu, '%s': out of memory", i, word);
  return fill(out, word, i);
}

/* Whole numbers in full, others with the fewest digits that give them again. */
static void add_float(tc_text *out, const tc_float_format *format, uint64_t bits) {
  double number = tc_float_decode(format, bits);
  bool is_whole = fabs(number) < 1e15 && floor(number) == number;
  char digits[40];
  (void)snprintf(digits, sizeof digits, "%.0f", number);
  for (int count = 1; !is_whole && count <= 17; count++) {
    (void)snprintf(digits, sizeof digits, "%.*g", count, number);
    if (tc_float_encode(format, strtod(digits, NULL)) == bits)
      break;
  }
  tc_add_str(out, digits);
}

static void add_element(tc_text *out, const tool_argument *a, uint64_t bits) {
  unsigned unused = 64 - a->type.width;
  if (a->type.format != NULL)
    add_float(out, a->type.format, bits);
  else if (a->type.is_signed)
    tc_add_format(out, "%lld", (long long)((int64_t)(bits << unused) >> unused));
  else
    tc_add_format(out, "%llu", (unsigned long long)bits);
}

int tool_argument_show(const tool_argument *argument, tc_text *out) {
  tc_text bytes = {.data = argument->data, .len = argument->size};
  for (size_t i = 0; argument->is_printed && i < argument->count; i++) {
    tc_add_str(out, i > 0 ? " " : "");
    add_element(out, argument, get(argument, i));
  }
  if (argument->is_printed)
    tc_add_char(out, '\n');
  return argument->file != NULL ? tool_write(argument->file, &bytes) : TOOL_OK;
}

void tool_argument_dispose(tool_argument *argument) {
  free(argument->word);
  free(argument->data);
  *argument = (tool_argument){0};
}
