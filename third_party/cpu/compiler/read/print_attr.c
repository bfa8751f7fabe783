/* print_attr.c: attributes as MLIR spells them. */
#include "ir.h"
#include "number.h"

#include <string.h>

/* Above this many elements MLIR prints a blob. */
#define LARGEST_LIST 100

static bool is_bare(const char *text, size_t len) {
  for (size_t i = 0; i < len; i++) {
    char c = text[i];
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    bool later = (c >= '0' && c <= '9') || c == '$' || c == '.';
    if (!letter && (i == 0 || !later))
      return false;
  }
  return len > 0;
}

static void add_quoted(tc_text *text, const char *string, size_t len) {
  tc_add_char(text, '"');
  for (size_t i = 0; i < len; i++) {
    unsigned char c = (unsigned char)string[i];
    if (c == '\\')
      tc_add_str(text, "\\\\");
    else if (c < 0x20 || c > 0x7e || c == '"')
      tc_add_format(text, "\\%02X", c);
    else
      tc_add_char(text, (char)c);
  }
  tc_add_char(text, '"');
}

static void add_name(tc_text *text, const char *name, size_t len) {
  if (is_bare(name, len))
    tc_add(text, name, len);
  else
    add_quoted(text, name, len);
}

static void add_symbol(tc_text *text, const tc_attr *attr) {
  tc_add_char(text, '@');
  add_name(text, attr->text, attr->len);
  for (size_t i = 0; i < attr->count; i++) {
    tc_add_str(text, "::@");
    add_name(text, attr->items[i]->text, attr->items[i]->len);
  }
}

static void add_number(tc_text *text, const tc_type *type, uint64_t bits) {
  unsigned width = type->kind == TC_INDEX ? 64 : type->width;
  if (type->kind == TC_FLOAT)
    tc_add_float(text, type->format, bits);
  else if (width == 1)
    tc_add_str(text, bits != 0 ? "true" : "false");
  else if (type->sign == 'u')
    tc_add_format(text, "%llu", (unsigned long long)bits);
  else if (width < 64 && (bits >> (width - 1) & 1) != 0)
    tc_add_format(text, "%lld", (long long)(int64_t)(bits | UINT64_MAX << width));
  else
    tc_add_format(text, "%lld", (long long)(int64_t)bits);
}

static void add_elements(tc_text *text, const tc_attr *attr, size_t level, size_t *at) {
  if (level == attr->type->rank) {
    add_number(text, attr->type->element, attr->elements[(*at)++]);
    return;
  }
  tc_add_char(text, '[');
  for (int64_t i = 0; i < attr->type->shape[level]; i++) {
    tc_add_str(text, i > 0 ? ", " : "");
    add_elements(text, attr, level + 1, at);
  }
  tc_add_char(text, ']');
}

static void add_blob(tc_text *text, const tc_attr *attr) {
  unsigned width = attr->type->element->kind == TC_INDEX ? 64 : attr->type->element->width;
  size_t size = (width + 7) / 8;
  tc_add_str(text, "\"0x");
  for (size_t i = 0; i < attr->count; i += attr->packed ? 8 : 1) {
    uint64_t bits = attr->packed ? 0 : attr->elements[i];
    for (size_t k = 0; attr->packed && k < 8 && i + k < attr->count; k++)
      bits |= attr->elements[i + k] << k;
    for (size_t k = 0; k < size; k++)
      tc_add_format(text, "%02X", (unsigned)(bits >> 8 * k & 0xff));
  }
  tc_add_char(text, '"');
}

static void add_dense(tc_text *text, const tc_attr *attr) {
  size_t at = 0;
  tc_add_str(text, "dense<");
  if (attr->type->count > 0) {
    if (attr->splat)
      add_number(text, attr->type->element, attr->elements[0]);
    else if (attr->count > LARGEST_LIST)
      add_blob(text, attr);
    else
      add_elements(text, attr, 0, &at);
  }
  tc_add_format(text, "> : %s", attr->type->text);
}

static void add_dense_array(tc_text *text, const tc_attr *attr) {
  tc_add_format(text, "array<%s", attr->type->text);
  for (size_t i = 0; i < attr->count; i++) {
    tc_add_str(text, i > 0 ? ", " : ": ");
    add_number(text, attr->type, attr->elements[i]);
  }
  tc_add_char(text, '>');
}

static void add_attr(tc_text *text, const tc_attr *attr, bool inside);

static void add_items(tc_text *text, const tc_attr *attr) {
  tc_add_char(text, attr->kind == TC_ATTR_DICT ? '{' : '[');
  for (size_t i = 0; i < attr->count; i++) {
    tc_add_str(text, i > 0 ? ", " : "");
    if (attr->kind == TC_ATTR_ARRAY) {
      add_attr(text, attr->items[i], true);
      continue;
    }
    add_name(text, attr->names[i], strlen(attr->names[i]));
    if (attr->items[i]->kind != TC_ATTR_UNIT) {
      tc_add_str(text, " = ");
      add_attr(text, attr->items[i], false);
    }
  }
  tc_add_char(text, attr->kind == TC_ATTR_DICT ? '}' : ']');
}

/* Within an array the types i64 and f64 go without saying. */
static void add_typed(tc_text *text, const tc_attr *attr, bool inside) {
  if (attr->text != NULL) { /* more than 64 bits */
    tc_add_str(text, attr->integer < 0 ? "-" : "");
    tc_add_str(text, attr->text);
  } else {
    add_number(text, attr->type, attr->bits);
  }
  const char *plain = attr->kind == TC_ATTR_INT ? "i64" : "f64";
  if (!inside || strcmp(attr->type->text, plain) != 0)
    tc_add_format(text, " : %s", attr->type->text);
}

static void add_attr(tc_text *text, const tc_attr *attr, bool inside) {
  switch (attr->kind) {
  case TC_ATTR_INT:
  case TC_ATTR_FLOAT:
    add_typed(text, attr, inside);
    break;
  case TC_ATTR_BOOL:
    tc_add_str(text, attr->integer != 0 ? "true" : "false");
    break;
  case TC_ATTR_STRING:
    add_quoted(text, attr->text, attr->len);
    break;
  case TC_ATTR_SYMBOL:
    add_symbol(text, attr);
    break;
  case TC_ATTR_TYPE:
    tc_add_str(text, attr->type->text);
    break;
  case TC_ATTR_ARRAY:
  case TC_ATTR_DICT:
    add_items(text, attr);
    break;
  case TC_ATTR_UNIT:
    tc_add_str(text, "unit");
    break;
  case TC_ATTR_DENSE:
    add_dense(text, attr);
    break;
  case TC_ATTR_DENSE_ARRAY:
    add_dense_array(text, attr);
    break;
  case TC_ATTR_OTHER:
    tc_add(text, attr->text, attr->len);
    break;
  }
}

void tc_print_attr(tc_text *text, const tc_attr *attr) {
  add_attr(text, attr, false);
}
