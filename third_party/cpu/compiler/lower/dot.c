/* dot.c: matrix products. Their operands are converted and written in the order in which the
 * micro-kernel reads them; the accumulator is a buffer that is added to in place. */
#include "lowering.h"

/* Bits: rows of a and columns of b that a panel has. Single rows, because what is loaded along k
 * can then be written along k; 8 at once would be a scatter for each load. */
enum { A_PANEL = 0, B_PANEL = 5 };
enum { E4M3, E5M2, E2M3, E3M2, E2M1, BF16, FP16 }; /* Triton's ScaleDotElemType */

static const tc_float_format e4m3 = {"f8E4M3FN", 8, 4, 3, 7, TC_FN};
static const tc_float_format e5m2 = {"f8E5M2", 8, 5, 2, 15, TC_IEEE};
static const tc_type f8e4m3 = {.kind = TC_FLOAT, .text = "f8E4M3FN", .width = 8, .format = &e4m3};
static const tc_type f8e5m2 = {.kind = TC_FLOAT, .text = "f8E5M2", .width = 8, .format = &e5m2};

/* The floats of four bits, as f32. */
static const uint64_t e2m1[16] = {
    0x00000000, 0x3F000000, 0x3F800000, 0x3FC00000, 0x40000000, 0x40400000, 0x40800000, 0x40C00000,
    0x80000000, 0xBF000000, 0xBF800000, 0xBFC00000, 0xC0000000, 0xC0400000, 0xC0800000, 0xC0C00000};

/* One operand: a is [batch][other][k], b is [batch][k][other]. */
typedef struct side {
  const tc_value *value, *scale; /* scale is NULL for none: [batch][other][k / group] */
  int64_t format;                /* of the elements, -1: as their type says */
  bool k_pack;                   /* two E2M1 of a byte are neighbours along k */
  bool left;                     /* a */
  unsigned batch, other, k, panel;
} side;

static unsigned axis_bits(const tc_type *type, size_t from_end) {
  return tc_axis_bits(type, type->rank - from_end);
}

/* Where the bits of a dimension begin in the nest that runs over the operand. */
static unsigned k_low(const side *s) {
  return s->left ? 0 : s->other;
}

static unsigned other_low(const side *s) {
  return s->left ? s->k : 0;
}

/* [batch][other / panel][k][panel] of the nest's bits. */
static tc_map packed_map(const side *s) {
  tc_map made = tc_map_bits(other_low(s), s->panel);
  tc_map k = tc_map_bits(k_low(s), s->k);
  tc_map rest = tc_map_bits(other_low(s) + s->panel, s->other - s->panel);
  tc_map batch = tc_map_bits(s->k + s->other, s->batch);
  tc_map_append(&made, &k);
  tc_map_append(&made, &rest);
  tc_map_append(&made, &batch);
  return made;
}

/* The nibble of the byte that the element is in, as an f32. */
static const tc_inst *write_nibble(tc_lowering *l, tc_writer *w, const side *s, unsigned bits) {
  unsigned bit = s->k_pack ? k_low(s) : other_low(s);
  tc_map at = tc_map_bits(0, bit), high = tc_map_bits(bit + 1, bits - bit - 1);
  tc_map shift = {.count = 3, .bit = {TC_BIT_ZERO, TC_BIT_ZERO, (uint8_t)bit}};
  tc_map_append(&at, &high);
  const tc_inst *byte = tc_at(l, w, s->value, &at);
  byte = tc_write_binary(l, w, TC_CODE_SHRU, byte, tc_write_index(l, w, byte->type, &shift, 0));
  byte = tc_write_binary(l, w, TC_CODE_AND, byte, tc_write_const(l, w, byte->type, 15));
  const tc_inst *args[3] = {tc_write_unary(l, w, TC_CODE_ZEXT, &tc_i64, byte)};
  tc_inst *read = tc_write_effect(l, w, TC_INST_READ_AT, args);
  read->buffer = tc_new_buffer(l, &tc_f32, 4);
  read->buffer->constant = e2m1;
  read->type = &tc_f32;
  return read;
}

static const tc_inst *write_element(tc_lowering *l, tc_writer *w, const side *s,
                                    const tc_map *map) {
  if (s->format == E2M1)
    return write_nibble(l, w, s, map->count);
  const tc_inst *value = tc_at(l, w, s->value, map);
  if (value->type->kind == TC_INT && (s->format == E4M3 || s->format == E5M2))
    value = tc_write_unary(l, w, TC_CODE_BITCAST, s->format == E4M3 ? &f8e4m3 : &f8e5m2, value);
  return value;
}

/* 2^(x - 127) as an f32; 255 is NaN. */
static const tc_inst *write_power(tc_lowering *l, tc_writer *w, const tc_inst *x) {
  const tc_inst *wide = tc_write_unary(l, w, TC_CODE_ZEXT, &tc_i32, x);
  const tc_inst *bits = tc_write_binary(l, w, TC_CODE_SHL, wide, tc_write_const(l, w, &tc_i32, 23));
  const tc_inst *least[3] = {tc_write_compare(l, w, TC_EQ, wide, tc_write_const(l, w, &tc_i32, 0)),
                             tc_write_const(l, w, &tc_i32, 0x00400000), bits};
  bits = tc_write_op(l, w, TC_CODE_SELECT, &tc_i32, least);
  const tc_inst *nan[3] = {tc_write_compare(l, w, TC_EQ, wide, tc_write_const(l, w, &tc_i32, 255)),
                           tc_write_const(l, w, &tc_i32, 0x7FC00000), bits};
  bits = tc_write_op(l, w, TC_CODE_SELECT, &tc_i32, nan);
  return tc_write_unary(l, w, TC_CODE_BITCAST, &tc_f32, bits);
}

static const tc_inst *write_scale(tc_lowering *l, tc_writer *w, const side *s) {
  unsigned groups = axis_bits(s->scale->type, 1);
  tc_map map = tc_map_bits(k_low(s) + s->k - groups, groups);
  tc_map other = tc_map_bits(other_low(s), s->other),
         batch = tc_map_bits(s->k + s->other, s->batch);
  tc_map_append(&map, &other);
  tc_map_append(&map, &batch);
  const tc_inst *scale = tc_at(l, w, s->scale, &map);
  return scale->type->kind == TC_FLOAT ? tc_write_cast(l, w, &tc_f32, scale)
                                       : write_power(l, w, scale);
}

/* An operand on its way into its buffer. */
typedef struct packing {
  const side *side;
  tc_buffer *buffer;
} packing;

static void write_packed(tc_lowering *l, tc_writer *w, const tc_map *map, void *context) {
  const packing *p = context;
  const tc_type *element = p->buffer->element;
  tc_map to = packed_map(p->side);
  const tc_inst *value = write_element(l, w, p->side, map);
  if (element->kind == TC_FLOAT)
    value = tc_write_cast(l, w, element, value);
  if (p->side->scale != NULL) {
    const tc_inst *scale = write_scale(l, w, p->side);
    value = tc_write_binary(l, w, TC_CODE_FMUL, value, scale);
  }
  tc_write_buffer(l, w, p->buffer, &to, value);
}

/* A buffer that is packed as it is, or NULL. */
static tc_buffer *already_packed(tc_lowering *l, const side *s, const tc_type *element) {
  const tc_info *info = tc_info_of(l, s->value);
  tc_map map = packed_map(s);
  for (unsigned i = 0; i < map.count; i++)
    if (map.bit[i] != i)
      return NULL;
  return info->kind == TC_IS_BUFFER && s->scale == NULL && s->format != E2M1 &&
                 tc_same_type(info->buffer->element, element) && info->buffer->constant == NULL
             ? info->buffer
             : NULL;
}

/* The operand, converted to the element and packed. */
static tc_buffer *pack(tc_lowering *l, const side *s, const tc_type *element) {
  unsigned bits = s->batch + s->other + s->k;
  tc_buffer *found = already_packed(l, s, element);
  if (found != NULL)
    return found;
  packing p = {s, tc_new_buffer(l, element, bits)};
  tc_nest_by(l, bits, TC_NO_PAIR, write_packed, &p);
  return p.buffer;
}

static const tc_type *operand_type(tc_lowering *l, const tc_op *op) {
  const tc_type *a = op->operands[0]->type->element, *b = op->operands[1]->type->element;
  const tc_type *c = op->results[0].type->element;
  if (c->kind == TC_INT && a->kind == TC_INT && b->kind == TC_INT && a->width == 8 &&
      b->width == 8 && c->width == 32)
    return &tc_i8;
  if (a->kind != TC_FLOAT || b->kind != TC_FLOAT || c->kind != TC_FLOAT)
    tc_reject(l, op, "multiply floats, or i8 into i32", "'%.90s' times '%.90s' into '%.90s'",
              a->text, b->text, c->text);
  return a->width == 64 || c->width == 64 ? &tc_f64 : &tc_f32;
}

static const tc_type *sum_type(const tc_type *element) {
  return element->kind == TC_INT ? &tc_i32 : element;
}

static void multiply(tc_lowering *l, const tc_op *op, const side *a, const side *b,
                     const tc_type *element) {
  tc_buffer *packed[2] = {pack(l, a, element), pack(l, b, element)};
  tc_buffer *acc = tc_own(l, op->operands[2], sum_type(element));
  tc_stmt *s = tc_add_stmt(l, TC_STMT_DOT);
  s->dot = (tc_dot){.batch = a->batch,
                    .m = a->other,
                    .n = b->other,
                    .k = a->k,
                    .a_panel = a->panel,
                    .b_panel = b->panel,
                    .a = packed[0],
                    .b = packed[1],
                    .acc = acc};
  tc_bind_buffer(l, &op->results[0], acc, true);
}

static unsigned least(unsigned a, unsigned b) {
  return a < b ? a : b;
}

/* The sides by the result's shape, [batch][m][n]. */
static void find_sides(tc_lowering *l, const tc_op *op, side *a, side *b) {
  const tc_type *type = op->results[0].type;
  unsigned bits = tc_bits(l, type);
  *a = (side){.value = op->operands[0], .format = -1, .left = true};
  *b = (side){.value = op->operands[1], .format = -1};
  a->other = axis_bits(type, 2);
  b->other = axis_bits(type, 1);
  a->batch = b->batch = bits - a->other - b->other;
  a->panel = least(A_PANEL, a->other);
  b->panel = least(B_PANEL, b->other);
}

void tc_lower_dot(tc_lowering *l, const tc_op *op) {
  side a, b;
  find_sides(l, op, &a, &b);
  a.k = b.k = axis_bits(op->operands[0]->type, 1);
  (void)tc_bits(l, op->operands[0]->type);
  (void)tc_bits(l, op->operands[1]->type);
  multiply(l, op, &a, &b, operand_type(l, op));
}

/* The bits that a dimension of the operand has once its bytes are taken apart. */
static unsigned whole_bits(const side *s, size_t from_end, bool packed) {
  return axis_bits(s->value->type, from_end) + (s->format == E2M1 && packed ? 1 : 0);
}

static void check_side(tc_lowering *l, const tc_op *op, side *s, size_t rank) {
  const tc_type *type = s->value->type;
  if (type->kind != TC_TENSOR || type->rank != rank || rank < 2)
    tc_reject(l, op, "", "an operand is '%.100s'", type->text);
  bool bytes = type->element->kind == TC_INT && type->element->width == 8;
  if (s->format == E2M3 || s->format == E3M2 || s->format < 0 || s->format > FP16 ||
      (s->format == E2M1 && !bytes) || (type->element->kind != TC_FLOAT && !bytes) ||
      (bytes && s->format > E2M1))
    tc_reject(l, op, "use e2m1, e4m3, e5m2, bf16 or fp16", "'%.90s' holds no format %lld",
              type->text, (long long)s->format);
  s->k = whole_bits(s, s->left ? 1 : 2, s->k_pack);
  if (whole_bits(s, s->left ? 2 : 1, !s->k_pack) != s->other ||
      tc_bits(l, type) + (s->format == E2M1) != s->batch + s->other + s->k)
    tc_reject(l, op, "", "'%.90s' does not fit '%.90s'", type->text, op->results[0].type->text);
  if (s->scale == NULL)
    return;
  const tc_type *scale = s->scale->type;
  if (scale->kind != TC_TENSOR || scale->rank != rank || axis_bits(scale, 1) > s->k ||
      axis_bits(scale, 2) != s->other ||
      tc_bits(l, scale) != s->batch + s->other + axis_bits(scale, 1))
    tc_reject(l, op, "", "the scale '%.90s' does not fit '%.90s'", scale->text, type->text);
}

void tc_lower_dot_scaled(tc_lowering *l, const tc_op *op) {
  const tc_value *c = tc_group_of(op, 2);
  side a, b;
  if (tc_group_of(op, 0) == NULL || tc_group_of(op, 1) == NULL || c == NULL ||
      op->results[0].type->kind != TC_TENSOR || c->type != op->results[0].type ||
      c->type->rank < 2 || c->type->element->kind != TC_FLOAT)
    tc_reject(l, op, "", "it adds to '%.100s'", op->results[0].type->text);
  find_sides(l, op, &a, &b);
  a.format = tc_attr_of(op, "a_elem_type")->integer;
  b.format = tc_attr_of(op, "b_elem_type")->integer;
  a.scale = tc_group_of(op, 3);
  b.scale = tc_group_of(op, 4);
  a.k_pack = tc_integer_of(op, "lhs_k_pack", 1) != 0;
  b.k_pack = tc_integer_of(op, "rhs_k_pack", 1) != 0;
  check_side(l, op, &a, c->type->rank);
  check_side(l, op, &b, c->type->rank);
  if (a.k != b.k)
    tc_reject(l, op, "", "'%.90s' and '%.90s' differ along k", a.value->type->text,
              b.value->type->text);
  multiply(l, op, &a, &b, &tc_f32);
}
