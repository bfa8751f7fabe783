/* emit_c.c: the program as a translation unit: its functions, their variables and buffers, and the
 * symbol that the caller looks for. */
#include "emit_c.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *format_list(tc_c *e, const char *format, va_list list) {
  va_list again;
  va_copy(again, list);
  int len = vsnprintf(NULL, 0, format, again);
  va_end(again);
  char *out = len < 0 ? NULL : tc_alloc(e->arena, (size_t)len + 1);
  if (out == NULL) {
    e->rc = TC_ENOMEM;
    return "";
  }
  (void)vsnprintf(out, (size_t)len + 1, format, list);
  return out;
}

const char *tc_c_format(tc_c *e, const char *format, ...) {
  va_list list;
  va_start(list, format);
  const char *out = format_list(e, format, list);
  va_end(list);
  return out;
}

static void add_line(tc_c *e, const char *text) {
  for (unsigned i = 0; i < e->depth; i++)
    tc_add_str(e->text, "  ");
  tc_add_str(e->text, text);
  tc_add_char(e->text, '\n');
}

void tc_c_line(tc_c *e, const char *format, ...) {
  va_list list;
  va_start(list, format);
  add_line(e, format_list(e, format, list));
  va_end(list);
}

void tc_c_open(tc_c *e, const char *format, ...) {
  va_list list;
  va_start(list, format);
  add_line(e, format_list(e, format, list));
  va_end(list);
  e->depth++;
}

void tc_c_close(tc_c *e) {
  e->depth--;
  add_line(e, "}");
}

void tc_c_refuse(tc_c *e, const char *format, ...) {
  if (e->rc != TC_OK)
    return;
  va_list list;
  va_start(list, format);
  e->rc = TC_EREFUSED;
  e->err->code = TC_EREFUSED;
  e->err->line = e->line;
  e->err->column = 1;
  (void)vsnprintf(e->err->what, sizeof e->err->what, format, list);
  va_end(list);
}

const char *tc_c_function_name(tc_c *e, const tc_function *function) {
  size_t number = 0;
  while (number < e->program->function_count && e->program->functions[number] != function)
    number++;
  char name[64] = "";
  for (size_t i = 0; i + 1 < sizeof name && function->name[i] != '\0'; i++) {
    char c = function->name[i];
    bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    name[i] = plain ? c : '_';
  }
  return tc_c_format(e, "f%zu_%s", number, name);
}

static const char *signature(tc_c *e, const tc_function *function) {
  const char *out =
      tc_c_format(e, "static void %s(const tt_env *env", tc_c_function_name(e, function));
  for (size_t i = 0; i < function->param_count; i++) {
    const tc_var *var = function->params[i];
    out =
        tc_c_format(e, "%s, %s", out, tc_c_variable(e, var->type, tc_c_format(e, "s%zu", var->id)));
  }
  for (size_t i = 0; i < function->result_count; i++)
    out = tc_c_format(e, "%s, %s", out,
                      tc_c_variable(e, function->results[i], tc_c_format(e, "*r%zu", i)));
  return tc_c_format(e, "%s)", out);
}

static void declare_constant(tc_c *e, const tc_buffer *buffer) {
  size_t count = (size_t)1 << buffer->bits;
  tc_c_line(e, "static const %s = {",
            tc_c_variable(e, buffer->element, tc_c_format(e, "b%zu[%zu]", buffer->id, count)));
  for (size_t i = 0; i < count; i += 8) {
    const char *row = "";
    for (size_t k = i; k < count && k < i + 8; k++)
      row =
          tc_c_format(e, "%s%s%s", row, k == i ? "  " : " ",
                      tc_c_format(e, "%s,", tc_c_number(e, buffer->element, buffer->constant[k])));
    tc_c_line(e, "%s", row);
  }
  tc_c_line(e, "};");
}

static void declare_buffer(tc_c *e, const tc_buffer *buffer) {
  size_t count = (size_t)1 << buffer->bits;
  if (buffer->constant != NULL)
    declare_constant(e, buffer);
  else if (buffer->on_stack)
    tc_c_line(e, "_Alignas(64) %s;",
              tc_c_variable(e, buffer->element, tc_c_format(e, "b%zu[%zu]", buffer->id, count)));
  else
    tc_c_line(e, "%s *const b%zu = __builtin_assume_aligned(env->frame + %zu, 64);",
              tc_c_memory(e, buffer->element), buffer->id, buffer->offset);
}

static bool block_calls(const tc_code_block *block);

static bool list_calls(const tc_list *list) {
  for (const tc_stmt *s = list == NULL ? NULL : list->first; s != NULL; s = s->next)
    if (block_calls(&s->nest.body) || block_calls(&s->combine.body) || list_calls(s->list) ||
        list_calls(s->otherwise))
      return true;
  return false;
}

static bool block_calls(const tc_code_block *block) {
  for (size_t i = 0; i < block->count; i++)
    if (block->insts[i]->kind == TC_INST_CALL || list_calls(block->insts[i]->list))
      return true;
  return false;
}

static bool is_param(const tc_function *function, const tc_var *var) {
  for (size_t i = 0; i < function->param_count; i++)
    if (function->params[i] == var)
      return true;
  return false;
}

static void define(tc_c *e, const tc_function *function) {
  e->function = function;
  tc_c_line(e, "/* %s */", function->name);
  tc_c_share(e);
  tc_c_open(e, "%s {", signature(e, function));
  if (list_calls(function->body)) {
    tc_c_line(e, "tt_env inner = *env;");
    tc_c_line(e, "inner.frame += %zu;", function->own_frame);
  }
  for (size_t i = 0; i < function->var_count; i++) {
    const tc_var *var = function->vars[i];
    if (!is_param(function, var))
      tc_c_line(e, "%s;", tc_c_variable(e, var->type, tc_c_format(e, "s%zu", var->id)));
  }
  for (size_t i = 0; i < function->buffer_count; i++)
    declare_buffer(e, function->buffers[i]);
  tc_c_list(e, function->body);
  tc_c_close(e);
  tc_add_char(e->text, '\n');
}

static void export(tc_c *e) {
  const tc_function *entry = e->program->entry;
  const char *letters = "";
  tc_c_open(e, "static void run(const void *const *params, const tt_env *env) {");
  const char *call = tc_c_format(e, "%s(env", tc_c_function_name(e, entry));
  for (size_t i = 0; i < entry->param_count; i++) {
    const tc_type *type = entry->params[i]->type;
    const char *ending = tc_c_class_of(type) == TC_C_BOOL ? " & 1" : "";
    letters = tc_c_format(e, "%s%c", letters, tc_letter(type));
    call = tc_c_format(e, "%s, *(%s)params[%zu]%s", call, tc_c_constant(e, type, "*"), i, ending);
  }
  tc_c_line(e, "%s);", call);
  tc_c_close(e);
  tc_add_char(e->text, '\n');
  tc_c_open(e, "const tt_kernel ttcpu_kernel = {");
  tc_c_line(e, ".abi = TT_ABI,");
  tc_c_line(e, ".param_count = %zu,", entry->param_count);
  tc_c_line(e, ".name = %s,", tc_c_string(e, entry->name));
  tc_c_line(e, ".params = \"%s\",", letters);
  tc_c_line(e, ".frame = %zu,", entry->frame);
  tc_c_line(e, ".run = run,");
  e->depth--;
  tc_c_line(e, "};");
}

/* Which headers a kernel needs: reading one costs about as much as compiling a small kernel. */
static void include(tc_text *text, const char *body) {
  static const char *const headers[][2] = {
      {"tt_divs_ tt_divu_ tt_rems_ tt_remu_ tt_ceildiv tt_floordiv tt_mulh tt_popcount_ tt_clz_ "
       "tt_ctz_ tt_ipow_",
       "ttrt_int.h"},
      {"tt_f32_to_ tt_f64_to_ tt_f8 tt_f16_to_ tt_bf16_to_ tt_maximum_ tt_minimum_ tt_rmw_ tt_ld_",
       "ttrt_float.h"},
      {"tt_rmw_ tt_cas_ tt_atomic_ tt_poll_", "ttrt_atomic.h"},
      {"tt_dot_", "ttrt_dot.h"},
      {"tt_scan_", "ttrt_scan.h"},
      {"tt_print_", "ttrt_print.h"},
      {"tt_sin_ tt_cos_ tt_tan_ tt_ld_", "ttrt_trig.h"},
      {"tt_rsqrt_ tt_exp tt_log tt_tanh_ tt_sinh_ tt_cosh_ tt_asin tt_acos tt_atan tt_erf tt_cbrt_ "
       "tt_pow_ tt_ld_",
       "ttrt_math.h"},
      {"tt_ld_", "ttlibdevice.h"},
  };
  tc_add_str(text, "#include \"ttrt.h\"\n");
  for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
    bool needed = false;
    for (const char *name = headers[i][0]; *name != '\0' && !needed;) {
      size_t len = strcspn(name, " ");
      char start[32];
      (void)snprintf(start, sizeof start, "%.*s", (int)len, name);
      needed = strstr(body, start) != NULL;
      name += len + (name[len] == ' ');
    }
    if (needed)
      tc_add_format(text, "#include \"%s\"\n", headers[i][1]);
  }
}

int tc_emit_c(tc_text *text, const tc_program *program, tc_err *err) {
  tc_text body = {0};
  tc_c e = {.text = &body, .arena = tc_arena_new(), .err = err, .program = program, .rc = TC_OK};
  if (e.arena == NULL) {
    *err = (tc_err){.code = TC_ENOMEM, .what = "out of memory"};
    return TC_ENOMEM;
  }
  for (size_t i = 0; i < program->function_count; i++)
    define(&e, program->functions[i]);
  export(&e);
  if (e.rc == TC_OK && !body.failed) {
    tc_add_format(text, "/* Made by ttcpu from the kernel %s. */\n", program->entry->name);
    include(text, body.data);
    if (e.needs_library)
      tc_add_str(text, "#include <math.h>\n");
    tc_add_format(text, "\n%s", body.data);
  }
  tc_arena_free(e.arena);
  if (text->failed || body.failed)
    e.rc = TC_ENOMEM;
  tc_text_free(&body);
  if (e.rc == TC_ENOMEM)
    *err = (tc_err){.code = TC_ENOMEM, .what = "out of memory"};
  return e.rc;
}
