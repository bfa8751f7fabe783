/* stub.c: the C around an object: what calls the kernel, and what the kernel calls. */
#include "route.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

#include <string.h>

static MlirStringRef string_of(const char *text) {
  return mlirStringRefCreateFromCString(text);
}

static MlirAttribute attribute(MlirOperation op, const char *name) {
  return mlirOperationGetAttributeByName(op, string_of(name));
}

static MlirStringRef text_of(MlirOperation op, const char *name) {
  MlirAttribute found = attribute(op, name);
  return mlirAttributeIsNull(found) ? string_of("") : mlirStringAttrGetValue(found);
}

static bool is_function(MlirOperation op) {
  return mlirStringRefEqual(mlirIdentifierStr(mlirOperationGetName(op)), string_of("func.func"));
}

/* The C type that is passed as this one; NULL if there is none. */
static const char *c_type(MlirType type) {
  static const struct {
    const char *mlir, *c;
  } types[] = {{"i1", "_Bool"},    {"i8", "int8_t"},       {"i16", "int16_t"}, {"i32", "int32_t"},
               {"i64", "int64_t"}, {"f16", "_Float16"},    {"bf16", "__bf16"}, {"f32", "float"},
               {"f64", "double"},  {"!llvm.ptr", "void *"}};
  tc_text spelled = {0};
  const char *found = NULL;
  mlirTypePrint(type, tc_route_append, &spelled);
  for (size_t i = 0; i < sizeof types / sizeof *types && !spelled.failed; i++)
    if (strcmp(types[i].mlir, spelled.data) == 0)
      found = types[i].c;
  tc_text_free(&spelled);
  return found;
}

/* The function under its declared name, which calls the one of that name without "ttx_". */
static bool add_declared(tc_text *text, MlirOperation op, tc_err *err) {
  MlirStringRef name = text_of(op, "sym_name");
  MlirType type = mlirTypeAttrGetValue(attribute(op, "function_type"));
  intptr_t inputs = mlirFunctionTypeGetNumInputs(type);
  bool has_result = mlirFunctionTypeGetNumResults(type) > 0;
  const char *result = has_result ? c_type(mlirFunctionTypeGetResult(type, 0)) : "void";
  int len = (int)name.length;
  if (name.length < 5 || strncmp(name.data, "ttx_", 4) != 0)
    return tc_route_fail(err,
                         "'%.*s' is declared and has no body: what C has is declared as ttx_NAME",
                         len, name.data);
  tc_add_format(text, "%s %.*s(", result != NULL ? result : "?", len, name.data);
  for (intptr_t i = 0; i < inputs && result != NULL; i++) {
    const char *input = c_type(mlirFunctionTypeGetInput(type, i));
    tc_add_format(text, "%s%s a%d", i > 0 ? ", " : "", input != NULL ? input : "?", (int)i);
    result = input != NULL ? result : NULL;
  }
  if (result == NULL)
    return tc_route_fail(err, "'%.*s' has a type that C cannot pass", len, name.data);
  tc_add_format(text, "%s) { %s%.*s(", inputs == 0 ? "void" : "", has_result ? "return " : "",
                len - 4, name.data + 4);
  for (intptr_t i = 0; i < inputs; i++)
    tc_add_format(text, "%sa%d", i > 0 ? ", " : "", (int)i);
  tc_add_str(text, "); }\n");
  return true;
}

/* The type of a parameter by its letter in ttabi.h. */
static const char *type_of_letter(char letter) {
  switch (letter) {
  case 'b':
  case 'e':
    return "int8_t";
  case 'h':
    return "int16_t";
  case 'w':
    return "int32_t";
  case 'H':
    return "_Float16";
  case 'B':
    return "__bf16";
  case 'f':
    return "float";
  case 'd':
    return "double";
  default:
    return "int64_t";
  }
}

/* Adds name as a string of C. */
static void add_quoted(tc_text *text, const char *before, MlirStringRef name) {
  tc_add_format(text, "\"%s", before);
  for (size_t i = 0; i < name.length; i++)
    if (name.data[i] < ' ' || name.data[i] > '~' || name.data[i] == '"' || name.data[i] == '\\')
      tc_add_format(text, "\\%03o", (unsigned)(unsigned char)name.data[i]);
    else
      tc_add_char(text, name.data[i]);
  tc_add_char(text, '"');
}

static void add_entry(tc_text *text, MlirOperation op) {
  MlirStringRef name = text_of(op, "sym_name"), letters = text_of(op, "params");
  long long frame = (long long)mlirIntegerAttrGetValueInt(attribute(op, "frame"));
  tc_add_str(text,
             "struct memref { char *base, *at; intptr_t offset, size, stride; };\nvoid entry(");
  for (size_t i = 0; i < letters.length; i++)
    tc_add_format(text, "%s, ", type_of_letter(letters.data[i]));
  tc_add_str(text, "int32_t, int32_t, int32_t, int32_t, int32_t, int32_t, struct memref *, const "
                   "tt_env *) __asm__(");
  add_quoted(text, "_mlir_ciface_", name);
  tc_add_format(text,
                ");\n\nstatic void run(const void *const *params, const tt_env *env) {\n"
                "  struct memref frame = {env->frame, env->frame, 0, %lld, 1};\n  entry(",
                frame);
  for (size_t i = 0; i < letters.length; i++)
    tc_add_format(text, "*(const %s *)params[%zu], ", type_of_letter(letters.data[i]), i);
  tc_add_str(
      text,
      "env->id[0], env->id[1], env->id[2], env->count[0], env->count[1], env->count[2], &frame, "
      "env);\n"
      "}\n\n__attribute__((visibility(\"default\"))) const tt_kernel ttcpu_kernel = {TT_ABI, ");
  tc_add_format(text, "%zu, ", letters.length);
  add_quoted(text, "", name);
  tc_add_format(text, ", \"%.*s\", %lld, run};\n", (int)letters.length, letters.data, frame);
}

bool tc_stub(tc_text *text, MlirModule module, tc_err *err) {
  size_t entries = 0;
  tc_add_str(text, "#include \"ttmlir.h\"\n\n");
  MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    if (!is_function(op))
      continue;
    if (mlirBlockIsNull(mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0)))) {
      if (!add_declared(text, op, err))
        return false;
    } else if (!mlirAttributeIsNull(attribute(op, "params"))) {
      entries++;
      add_entry(text, op);
    }
  }
  if (entries != 1)
    return tc_route_fail(
        err, "the module has %zu functions with 'params' and 'frame', and must have one", entries);
  return !text->failed || tc_route_fail(err, "out of memory");
}
