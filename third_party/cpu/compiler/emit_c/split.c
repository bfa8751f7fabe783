/* split.c: an innermost loop in two. Masks are mostly `index < size`: they hold from the
 * loop's beginning up to a place that is known before it. Up to there the loop runs with those
 * masks taken for true, so that its loads and stores are plain ones; the rest runs as it is.
 * Processors without AVX-512 store under a mask slowly, and have no masked moves of 8 and 16 bits
 * at all. The same for a remainder `index % size`, where the tile does not wrap around: it is index
 * minus a number that is known before the loop. */
#include "emit_c.h"

enum { BLOCK = 32, MOST = 8 };

typedef struct tc_split {
  tc_c *e;
  const tc_nest *nest;
  unsigned inner;             /* bits of the innermost loop */
  size_t count;               /* of what is taken for granted */
  const tc_inst *known[MOST]; /* parts of masks */
  unsigned char *wanted;      /* by position in the body: evaluated before the loop */
} tc_split;

/* How a value grows with the innermost loop: by 0, by 1, or otherwise (-1). What cannot be
 * evaluated before the loop is otherwise too. */
static int slope(const tc_split *s, const tc_inst *inst);

static int slope_of_index(const tc_split *s, const tc_inst *inst) {
  unsigned along = 0;
  for (unsigned i = 0; i < inst->map.count; i++)
    if (inst->map.bit[i] < s->inner) {
      if (inst->map.bit[i] != i)
        return -1;
      along++;
    }
  return along == 0 ? 0 : along == s->inner ? 1 : -1;
}

static int slope_of_operation(const tc_split *s, const tc_inst *inst) {
  int slopes[3] = {0, 0, 0};
  bool flat = true;
  if (inst->code == TC_CODE_EXTERN || inst->arg_count > 3)
    return -1;
  for (size_t i = 0; i < inst->arg_count; i++) {
    slopes[i] = slope(s, inst->args[i]);
    if (slopes[i] < 0)
      return -1;
    flat = flat && slopes[i] == 0;
  }
  if (flat)
    return 0;
  bool grows = inst->code == TC_CODE_SEXT && inst->args[0]->type->width >= 32;
  if ((inst->flags & TC_NO_WRAP) != 0 && tc_width(inst->type) >= 32)
    grows = (inst->code == TC_CODE_ADD && slopes[0] + slopes[1] == 1) ||
            (inst->code == TC_CODE_SUB && slopes[1] == 0);
  return grows ? 1 : -1;
}

static int slope(const tc_split *s, const tc_inst *inst) {
  switch (inst->kind) {
  case TC_INST_CONST:
  case TC_INST_GET:
    return 0;
  case TC_INST_INDEX:
    return slope_of_index(s, inst);
  case TC_INST_OP:
    return slope_of_operation(s, inst);
  default:
    return -1;
  }
}

/* Whether the mask holds on a beginning of the loop, or all along it or not at all. */
static bool holds_first(const tc_split *s, const tc_inst *mask) {
  int all = slope(s, mask);
  if (all == 0)
    return true;
  if (mask->kind != TC_INST_OP || mask->code != TC_CODE_CMPI)
    return false;
  int left = slope(s, mask->args[0]), right = slope(s, mask->args[1]);
  bool less = mask->integer == 2 || mask->integer == 3,
       more = mask->integer == 4 || mask->integer == 5;
  return (less && left == 1 && right == 0) || (more && left == 0 && right == 1);
}

static void know(tc_split *s, const tc_inst *inst) {
  for (size_t i = 0; i < s->count; i++)
    if (s->known[i] == inst)
      return;
  if (s->count < MOST)
    s->known[s->count++] = inst;
}

/* Takes the parts of a mask for granted that hold first. */
static void know_mask(tc_split *s, const tc_inst *mask) {
  if (mask->kind == TC_INST_OP && mask->code == TC_CODE_AND && slope(s, mask) != 0) {
    know_mask(s, mask->args[0]);
    know_mask(s, mask->args[1]);
  } else if (mask->kind == TC_INST_OP && holds_first(s, mask)) {
    know(s, mask);
  }
}

static void find_known(tc_split *s) {
  const tc_code_block *body = &s->nest->body;
  for (size_t i = 0; i < body->count; i++) {
    const tc_inst *inst = body->insts[i];
    if (inst->kind == TC_INST_LOAD && inst->arg_count > 1)
      know_mask(s, inst->args[1]);
    else if (inst->kind == TC_INST_STORE && inst->arg_count > 2)
      know_mask(s, inst->args[2]);
    else if (inst->kind == TC_INST_OP && inst->code == TC_CODE_SELECT)
      know_mask(s, inst->args[0]);
  }
}

static void want(tc_split *s, const tc_inst *inst) {
  const tc_code_block *body = &s->nest->body;
  size_t i = 0;
  while (i < body->count && body->insts[i] != inst)
    i++;
  if (i == body->count || s->wanted[i] != 0)
    return;
  s->wanted[i] = 1;
  for (size_t k = 0; k < inst->arg_count; k++)
    want(s, inst->args[k]);
}

/* Shortens the first part by one that is taken for granted. */
static void limit(tc_split *s, const tc_inst *inst) {
  tc_c *e = s->e;
  const char *a = tc_c_value(e, inst->args[0]);
  const char *b = inst->arg_count > 1 ? tc_c_value(e, inst->args[1]) : "";
  if (slope(s, inst) == 0) {
    tc_c_line(e, "plain = %s ? plain : 0;", tc_c_value(e, inst));
    return;
  }
  bool swapped = inst->integer >= 4, also_equal = inst->integer == 3 || inst->integer == 5;
  const char *span = tc_c_format(e, "(int64_t)%s - %s%s", swapped ? a : b, swapped ? b : a,
                                 also_equal ? " + 1" : "");
  tc_c_line(e, "plain = %s < plain ? %s : plain;", span, span);
}

/* What must be evaluated before the loop, in the body's order. */
static tc_code_block needed(tc_split *s) {
  tc_code_block before = {0};
  for (size_t i = 0; i < s->count; i++) {
    const tc_inst *inst = s->known[i];
    if (slope(s, inst) == 0)
      want(s, inst);
    for (size_t k = 0; k < inst->arg_count; k++)
      want(s, inst->args[k]);
  }
  before.insts = tc_alloc_array(s->e->arena, s->nest->body.count, sizeof(tc_inst *));
  if (before.insts == NULL)
    s->e->rc = TC_ENOMEM;
  for (size_t i = 0; before.insts != NULL && i < s->nest->body.count; i++)
    if (s->wanted[i] != 0)
      before.insts[before.count++] = s->nest->body.insts[i];
  return before;
}

bool tc_c_begin_plain(tc_c *e, const tc_nest *nest, unsigned inner, unsigned block) {
  tc_split *s = tc_alloc(e->arena, sizeof *s);
  if (s == NULL)
    return false;
  *s = (tc_split){.e = e, .nest = nest, .inner = inner};
  find_known(s);
  s->wanted = tc_alloc(e->arena, nest->body.count);
  if (s->count == 0 || s->wanted == NULL)
    return false;
  tc_code_block before = needed(s);
  tc_c_open(e, "{");
  tc_c_line(e, "int64_t plain = %llu;", 1ULL << inner);
  tc_c_open(e, "{");
  for (unsigned k = 0; k < e->loops->count; k++)
    if (e->loops->low[k] < inner)
      tc_c_line(e, "const int64_t i%u = 0;", e->loops->low[k]);
  tc_c_block(e, &before);
  for (size_t i = 0; i < s->count; i++)
    limit(s, s->known[i]);
  tc_c_line(e, "plain = plain < 0 ? 0 : plain & -%u;", block);
  tc_c_close(e);
  e->known = s->known;
  e->known_count = s->count;
  return true;
}

void tc_c_end_plain(tc_c *e) {
  e->known_count = 0;
}

static void part(tc_c *e, const tc_stmt *stmt, const char *from, const char *to) {
  tc_c_line(e, "#pragma clang loop vectorize(assume_safety)");
  tc_c_open(e, "for (int64_t i0 = %s; i0 < %s; i0++) {", from, to);
  tc_c_position(e, stmt);
  tc_c_close(e);
}

bool tc_c_split(tc_c *e, const tc_stmt *stmt, unsigned inner) {
  unsigned size = 1u << inner;
  if (inner < 3 || !tc_c_begin_plain(e, &stmt->nest, inner, size < BLOCK ? size : BLOCK))
    return false;
  part(e, stmt, "0", "plain");
  tc_c_end_plain(e);
  part(e, stmt, "plain", tc_c_format(e, "%u", size));
  tc_c_close(e);
  return true;
}
