/* lazy.c: which tensors stay expressions, and how one becomes a buffer. A tensor stays lazy if
 * computing it again costs little, or if all that uses it is one root of the same block, no effect
 * in between could change what it loads, and that root wants each element once. */
#include "lowering.h"

#include <string.h>

/* Instructions of an element that may be computed again at every use. Indices are worth more of
 * them: the C compiler moves them out of loops. And in how many orders its leaves are read then: a
 * stage of a sort is no index. */
enum { CHEAP_INDEX = 48, CHEAP_NUMBER = 8, CHEAP_SPREAD = 4 };
/* What a single expression may cost, how deep it may be, and in how many orders its leaves may be
 * read: more is cut in two by a buffer. */
enum { MOST_COST = 4000, MOST_DEEP = 160, MOST_SPREAD = 64 };
enum { COST_SLOW = 64, COST_DIVISION = 24 };
enum { ROOT_UNKNOWN, ROOT_NONE, ROOT_ONE, ROOT_MANY };

typedef struct traits {
  unsigned cost, depth, spread;
  bool loads;
} traits;

bool tc_has_effect(const tc_op *op) {
  static const char *const names[] = {"tt.store",
                                      "tt.atomic_rmw",
                                      "tt.atomic_cas",
                                      "tt.atomic_load",
                                      "tt.atomic_store",
                                      "tt.atomic_poll",
                                      "tt.call",
                                      "tt.print",
                                      "tt.assert",
                                      "scf.for",
                                      "scf.if",
                                      "scf.while",
                                      "gpu.barrier",
                                      "ttg.barrier",
                                      "ttg.local_barrier",
                                      "tt.extern_elementwise",
                                      NULL};
  return tc_op_is_one_of(op, names);
}

tc_info *tc_info_of(tc_lowering *l, const tc_value *value) {
  tc_map none = {0};
  tc_info *info = tc_table_get(&l->values, value, &none);
  if (info == NULL) {
    info = tc_take_scratch(l, 1, sizeof *info);
    tc_table_put(l, &l->values, value, &none, info);
  }
  return info;
}

void tc_bind_scalar(tc_lowering *l, const tc_value *value, const tc_inst *inst, tc_writer *w) {
  tc_info *info = tc_info_of(l, value);
  info->kind = TC_IS_SCALAR;
  info->inst = inst;
  info->block = w->body;
  info->var = NULL;
}

void tc_bind_var(tc_lowering *l, const tc_value *value, tc_var *var) {
  tc_info *info = tc_info_of(l, value);
  info->kind = TC_IS_SCALAR;
  info->inst = NULL;
  info->block = NULL;
  info->var = var;
}

void tc_bind_buffer(tc_lowering *l, const tc_value *value, tc_buffer *buffer, bool owned) {
  tc_info *info = tc_info_of(l, value);
  info->kind = TC_IS_BUFFER;
  info->buffer = buffer;
  info->owned = owned;
}

static bool is_lazy_op(const tc_op *op) {
  return op->result_count > 0 && tc_is_tensor(&op->results[0]) &&
         (tc_is_element_op(op) || tc_is_view(op) || tc_op_is(op, "tt.load") ||
          tc_op_is(op, "tt.join") || tc_op_is(op, "tt.cat") || tc_op_is(op, "tt.make_range") ||
          tc_op_is(op, "tt.gather"));
}

static unsigned own_cost(const tc_op *op) {
  static const tc_code quick[] = {
      TC_CODE_ADD,     TC_CODE_SUB,    TC_CODE_MUL,      TC_CODE_AND,      TC_CODE_OR,
      TC_CODE_XOR,     TC_CODE_SHL,    TC_CODE_SHRS,     TC_CODE_SHRU,     TC_CODE_MAXS,
      TC_CODE_MAXU,    TC_CODE_MINS,   TC_CODE_MINU,     TC_CODE_CMPI,     TC_CODE_CMPF,
      TC_CODE_SELECT,  TC_CODE_FADD,   TC_CODE_FSUB,     TC_CODE_FMUL,     TC_CODE_FNEG,
      TC_CODE_SEXT,    TC_CODE_ZEXT,   TC_CODE_TRUNCI,   TC_CODE_SITOFP,   TC_CODE_UITOFP,
      TC_CODE_BITCAST, TC_CODE_ADDPTR, TC_CODE_PTRTOINT, TC_CODE_INTTOPTR, TC_CODE_ABSF,
      TC_CODE_ABSI,    TC_CODE_FMA,    TC_CODE_MAXNUM,   TC_CODE_MINNUM};
  tc_code code = tc_code_of(op->name);
  if (!tc_is_element_op(op))
    return tc_op_is(op, "tt.load") ? COST_SLOW : tc_op_is(op, "tt.gather") ? 4 : 0;
  for (size_t i = 0; i < sizeof quick / sizeof *quick; i++)
    if (code == quick[i])
      return 1;
  if (code == TC_CODE_DIVS || code == TC_CODE_DIVU || code == TC_CODE_REMS || code == TC_CODE_REMU)
    return COST_DIVISION;
  return code == TC_CODE_NONE ? 1 : COST_SLOW;
}

/* Whether the element of a view lies elsewhere than that of its operand. */
static bool moves(const tc_op *op) {
  return tc_is_view(op)
             ? !tc_op_is(op, "tt.reshape") && !tc_op_is(op, "tt.expand_dims")
             : tc_op_is(op, "tt.join") || tc_op_is(op, "tt.cat") || tc_op_is(op, "tt.gather");
}

static traits traits_of(tc_lowering *l, const tc_value *value) {
  const tc_info *info = tc_info_of(l, value);
  if (info->kind == TC_IS_LAZY)
    return (traits){info->cost, info->depth, info->spread, info->loads};
  return (traits){.cost = info->kind == TC_IS_BUFFER ? 1 : 0, .spread = 1};
}

static traits traits_of_op(tc_lowering *l, const tc_op *op) {
  traits made = {.cost = own_cost(op), .depth = 1, .loads = tc_op_is(op, "tt.load")};
  bool spread = moves(op);
  unsigned sum = 0;
  size_t first = tc_op_is(op, "tt.gather") ? 1 : 0;
  for (size_t i = first; i < op->operand_count; i++) {
    traits part = traits_of(l, op->operands[i]);
    made.cost += part.cost;
    made.depth = part.depth + 1 > made.depth ? part.depth + 1 : made.depth;
    made.loads = made.loads || part.loads;
    spread = spread || part.spread > 1;
    sum += part.spread;
  }
  if (tc_is_lazy_reduce(op)) {
    made.cost = 2 * made.cost + 8;
    sum *= 2;
    spread = true;
  }
  made.spread = spread && sum > 1 ? sum : 1;
  return made;
}

static bool wants_cheap(const tc_op *op, const tc_value *value) {
  if (tc_is_lazy_reduce(op) || tc_op_is(op, "tt.join") || tc_op_is(op, "tt.cat"))
    return true;
  if (tc_op_is(op, "tt.gather"))
    return op->operands[0] == value;
  return tc_op_is(op, "tt.broadcast") && value->type->count < op->results[0].type->count;
}

/* The root that the value reaches by this use; NULL where there is no single one. */
static const tc_op *root_of(tc_lowering *l, const tc_value *value, int depth);

static const tc_op *root_by(tc_lowering *l, const tc_value *value, const tc_op *op, int depth) {
  const tc_op *root = NULL;
  if (op->block != value->block || tc_op_is(op, "scf.if") || tc_op_is(op, "scf.while") ||
      wants_cheap(op, value))
    return NULL;
  if (!is_lazy_op(op))
    return op;
  for (size_t i = 0; i < op->result_count; i++) {
    const tc_op *next = op->results[i].uses == NULL ? op : root_of(l, &op->results[i], depth + 1);
    if (next == NULL || (root != NULL && next != root))
      return op; /* it becomes a buffer there */
    root = next;
  }
  return root;
}

static const tc_op *root_of(tc_lowering *l, const tc_value *value, int depth) {
  tc_info *info = tc_info_of(l, value);
  if (info->rooted != ROOT_UNKNOWN || depth > MOST_DEEP)
    return info->root;
  for (const tc_use *use = value->uses; use != NULL; use = use->next) {
    const tc_op *root = root_by(l, value, use->op, depth);
    if (root == NULL || (info->root != NULL && info->root != root)) {
      info->root = NULL;
      break;
    }
    info->root = root;
  }
  info->rooted = info->root != NULL ? ROOT_ONE : ROOT_MANY;
  return info->root;
}

/* Whether a load may wait until its root is reached. */
static bool may_wait(tc_lowering *l, const tc_op *load, const tc_op *root) {
  if (l->strict || tc_integer_of(load, "isVolatile", 0) != 0 ||
      strncmp(root->name, "tt.atomic", 9) == 0)
    return false;
  if (tc_op_is(root, "tt.store")) {
    const tc_value *base = tc_base_of(load->operands[0]);
    const tc_value *other = tc_base_of(root->operands[0]);
    if (base == NULL || other == NULL || base == other)
      return false;
  }
  for (const tc_op *op = load->next; op != NULL && op != root; op = op->next)
    if (tc_has_effect(op))
      return false;
  return true;
}

static bool is_cheap(const tc_value *value, const traits *t) {
  const tc_type *e = tc_element(value->type);
  unsigned most = e->kind == TC_FLOAT ? CHEAP_NUMBER : CHEAP_INDEX;
  return !t->loads && t->cost <= most && t->spread <= CHEAP_SPREAD;
}

static bool stays_lazy(tc_lowering *l, const tc_value *value, const traits *t) {
  if (t->depth > MOST_DEEP || t->cost > MOST_COST || t->spread > MOST_SPREAD)
    return false;
  if (is_cheap(value, t))
    return true;
  const tc_op *root = root_of(l, value, 0);
  if (root == NULL || root->block != value->block)
    return false;
  if (t->loads && value->op->result_count > 1)
    return false; /* the other result may have been made a buffer here */
  return !tc_op_is(value->op, "tt.load") || may_wait(l, value->op, root);
}

static void bind_constant(tc_lowering *l, const tc_op *op) {
  const tc_attr *value = tc_attr_of(op, "value");
  if (value == NULL || value->kind != TC_ATTR_DENSE || value->splat || value->count <= 1)
    return;
  tc_buffer *buffer =
      tc_new_buffer(l, op->results[0].type->element, tc_bits(l, op->results[0].type));
  buffer->constant = value->elements;
  tc_bind_buffer(l, &op->results[0], buffer, false);
}

void tc_settle(tc_lowering *l, const tc_op *op) {
  traits t = traits_of_op(l, op);
  for (size_t i = 0; i < op->result_count; i++) {
    const tc_value *value = &op->results[i];
    tc_info *info = tc_info_of(l, value);
    (void)tc_bits(l, value->type);
    info->kind = TC_IS_LAZY;
    info->cost = t.cost < MOST_COST + 1 ? t.cost : MOST_COST + 1;
    info->depth = t.depth;
    info->spread = t.spread;
    info->loads = t.loads;
    info->cheap = is_cheap(value, &t);
    if (tc_settle_remainder(l, op))
      return;
    if (value->uses != NULL && !stays_lazy(l, value, &t))
      (void)tc_materialise(l, value);
  }
  if (tc_op_is(op, "arith.constant"))
    bind_constant(l, op);
}

/* Where a tensor is written. */
typedef struct into {
  const tc_value *value;
  tc_buffer *buffer;
} into;

static void write_element(tc_lowering *l, tc_writer *w, const tc_map *map, void *context) {
  const into *to = context;
  const tc_inst *inst = tc_at(l, w, to->value, map);
  if (inst->type->kind == TC_FLOAT)
    inst = tc_write_cast(l, w, to->buffer->element, inst);
  tc_write_buffer(l, w, to->buffer, map, inst);
}

void tc_write_into(tc_lowering *l, const tc_value *value, tc_buffer *buffer) {
  into to = {value, buffer};
  tc_nest_by(l, buffer->bits, tc_pair_of(l, value), write_element, &to);
}

/* The halves of a join or cat one after the other, so that no element asks which it is in. */
static void write_half(tc_lowering *l, const tc_op *op, size_t half, tc_buffer *buffer) {
  bool joins = tc_op_is(op, "tt.join");
  unsigned bits = buffer->bits - 1;
  tc_writer w;
  tc_map map = tc_identity(bits), to = {0};
  if (joins)
    tc_map_push(&to, half == 0 ? TC_BIT_ZERO : TC_BIT_ONE);
  tc_map_append(&to, &map);
  if (!joins)
    tc_map_push(&to, half == 0 ? TC_BIT_ZERO : TC_BIT_ONE);
  tc_stmt *nest = tc_begin_nest(l, &w, TC_STMT_NEST, bits);
  tc_write_buffer(l, &w, buffer, &to, tc_at(l, &w, op->operands[half], &map));
  tc_end_nest(nest, 0);
}

/* The element of a value's buffer: what only products read is converted once, not in each of them.
 */
static const tc_type *kept_type(const tc_value *value) {
  const tc_type *element = tc_element(value->type);
  if (element->kind != TC_FLOAT || element->width >= 32 || value->uses == NULL)
    return element;
  for (const tc_use *use = value->uses; use != NULL; use = use->next)
    if (!tc_op_is(use->op, "tt.dot") || use->index > 1 ||
        use->op->results[0].type->element->width > 32)
      return element;
  return &tc_f32;
}

tc_buffer *tc_materialise(tc_lowering *l, const tc_value *value) {
  tc_info *info = tc_info_of(l, value);
  if (info->kind == TC_IS_BUFFER && tc_same_type(info->buffer->element, tc_element(value->type)))
    return info->buffer;
  bool joins =
      info->kind == TC_IS_LAZY && (tc_op_is(value->op, "tt.join") || tc_op_is(value->op, "tt.cat"));
  const tc_type *element = joins ? tc_element(value->type) : kept_type(value);
  tc_buffer *buffer = tc_new_buffer(l, element, tc_bits(l, value->type));
  if (joins) {
    write_half(l, value->op, 0, buffer);
    write_half(l, value->op, 1, buffer);
  } else {
    tc_write_into(l, value, buffer);
  }
  tc_bind_buffer(l, value, buffer, true);
  return buffer;
}

/* Elsewhere than in its own block it stays what it is: another use may come by another way. */
tc_buffer *tc_buffer_of(tc_lowering *l, const tc_value *value) {
  const tc_info *info = tc_info_of(l, value);
  if (info->kind == TC_IS_BUFFER || value->block == l->op->block)
    return tc_materialise(l, value);
  tc_buffer *buffer = tc_new_buffer(l, tc_element(value->type), tc_bits(l, value->type));
  tc_write_into(l, value, buffer);
  return buffer;
}

static bool may_take(tc_lowering *l, const tc_value *value, const tc_type *element) {
  const tc_info *info = tc_info_of(l, value);
  return info->kind == TC_IS_BUFFER && info->owned && l->op != NULL &&
         value->block == l->op->block && value->uses != NULL && value->uses->next == NULL &&
         tc_same_type(info->buffer->element, element);
}

/* A buffer that the expression reads only element by element and that nobody needs any more. */
static tc_buffer *dying_operand(tc_lowering *l, const tc_value *value, const tc_type *element,
                                int depth) {
  const tc_op *op = value->op;
  if (may_take(l, value, element))
    return tc_info_of(l, value)->buffer;
  if (depth > 8 || op == NULL || tc_info_of(l, value)->kind != TC_IS_LAZY || value->uses == NULL ||
      value->uses->next != NULL || !tc_is_element_op(op))
    return NULL;
  for (size_t i = 0; i < op->operand_count; i++) {
    tc_buffer *found = tc_is_tensor(op->operands[i])
                           ? dying_operand(l, op->operands[i], element, depth + 1)
                           : NULL;
    if (found != NULL)
      return found;
  }
  return NULL;
}

tc_buffer *tc_own(tc_lowering *l, const tc_value *value, const tc_type *element) {
  const tc_info *info = tc_info_of(l, value);
  tc_buffer *buffer = dying_operand(l, value, element, 0);
  if (buffer != NULL && info->kind == TC_IS_BUFFER)
    return buffer;
  if (buffer == NULL)
    buffer = tc_new_buffer(l, element, tc_bits(l, value->type));
  if (info->kind == TC_IS_BUFFER && tc_same_type(info->buffer->element, element))
    tc_copy_buffer(l, buffer, info->buffer);
  else
    tc_write_into(l, value, buffer);
  return buffer;
}
