/* element.c: types that need not occur in the module, and questions to all of them. */
#include "lowering.h"

#include <string.h>

static const tc_float_format f32 = {"f32", 32, 8, 23, 127, TC_IEEE};
static const tc_float_format f64 = {"f64", 64, 11, 52, 1023, TC_IEEE};
static const tc_float_format bf16 = {"bf16", 16, 8, 7, 127, TC_IEEE};
static const tc_float_format f16 = {"f16", 16, 5, 10, 15, TC_IEEE};

const tc_type tc_i1 = {.kind = TC_INT, .text = "i1", .width = 1};
const tc_type tc_i8 = {.kind = TC_INT, .text = "i8", .width = 8};
const tc_type tc_i32 = {.kind = TC_INT, .text = "i32", .width = 32};
const tc_type tc_i64 = {.kind = TC_INT, .text = "i64", .width = 64};
const tc_type tc_f32 = {.kind = TC_FLOAT, .text = "f32", .width = 32, .format = &f32};
const tc_type tc_f64 = {.kind = TC_FLOAT, .text = "f64", .width = 64, .format = &f64};
const tc_type tc_bf16 = {.kind = TC_FLOAT, .text = "bf16", .width = 16, .format = &bf16};
const tc_type tc_f16 = {.kind = TC_FLOAT, .text = "f16", .width = 16, .format = &f16};

const tc_type *tc_element(const tc_type *type) {
  return type->kind == TC_TENSOR ? type->element : type;
}

bool tc_is_tensor(const tc_value *value) {
  return value->type->kind == TC_TENSOR;
}
