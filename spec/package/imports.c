/* imports.c */
#include "package/imports.h"

#include "base/err.h"
#include "base/path.h"
#include "package/py_scan.h"

#include <string.h>

static const char tool[] = "triton_spec";

/* Where in a statement a name would be that of a module which is imported. */
typedef enum state {
  AT_START,  /* before a statement */
  AT_MODULE, /* behind `from`, `import`, or a comma of the latter */
  IN_IMPORT,
  ELSEWHERE
} state;

static bool is_op(const spec_py_token *token, char op) {
  return token->kind == SPEC_PY_OP && token->op == (uint8_t)op;
}

/* The state behind a token. A keyword that begins a statement stands at the start of a line, behind
 * a semicolon, or behind the colon of `if x:`; no other colon has one behind it. */
static state next(state now, const spec_py_source *source, const spec_py_token *token) {
  if (token->kind == SPEC_PY_LINE || is_op(token, ';') || is_op(token, ':'))
    return AT_START;
  if (now == AT_START && (spec_py_is(source, token, "import") || spec_py_is(source, token, "from")))
    return AT_MODULE;
  if (now == AT_MODULE)
    return IN_IMPORT;
  if (now == IN_IMPORT && spec_py_is(source, token, "import")) /* from a import b */
    return ELSEWHERE;
  if (now == IN_IMPORT)
    return is_op(token, ',') ? AT_MODULE : IN_IMPORT;
  return ELSEWHERE;
}

/* "<file>:<line>" of a line of the member; the vendor's file alone where the line is not known. */
static const char *place_of(const spec_plan *plan, const spec_member *member, size_t line) {
  const char *file = member->override->vendor;
  for (size_t i = 0; i < member->span_count; i++) {
    const spec_span *span = &member->spans[i];
    if (line >= span->line && line - span->line < span->count)
      return spec_arena_printf(plan->arena, "%s:%zu", span->file,
                               span->file_line + line - span->line);
  }
  return member->origin == SPEC_MADE ? file : spec_arena_printf(plan->arena, "%s:%zu", file, line);
}

static int report(spec_plan *plan, const spec_member *member, spec_package_mode mode, size_t line,
                  spec_err *err) {
  const char *where = place_of(plan, member, line), *overlay = member->override->overlay;
  if (where == NULL)
    return spec_fail_memory(err);
  if (mode == SPEC_PACKAGE_BAKED)
    spec_report(&plan->report, SPEC_F_IMPORTS_TOOL, where, overlay, NULL, NULL);
  else
    spec_report_soft(&plan->report, SPEC_F_IMPORTS_TOOL, where, overlay, NULL, NULL);
  return SPEC_OK;
}

/* Whether the text may hold the name at all. */
static bool may_import(const spec_member *member) {
  const char *at = member->text, *end = at + member->len;
  while ((at = memchr(at, tool[0], (size_t)(end - at))) != NULL) {
    if ((size_t)(end - at) < sizeof tool - 1)
      return false;
    if (memcmp(at, tool, sizeof tool - 1) == 0)
      return true;
    at++;
  }
  return false;
}

int spec_imports_check(spec_plan *plan, const spec_member *member, spec_package_mode mode,
                       spec_err *err) {
  if (strcmp(spec_path_ext(member->path), ".py") != 0 || !may_import(member))
    return SPEC_OK;
  const spec_py_source source = {member->text, member->len, member->override->vendor};
  spec_py_tokens tokens = {0};
  spec_py_fault fault = {0};
  state now = AT_START;
  int rc = spec_py_scan(&tokens, &fault, plan->arena, &source, err);
  for (size_t i = 0; rc == SPEC_OK && i < tokens.count; i++) {
    const spec_py_token *token = &tokens.items[i];
    if (now == AT_MODULE && token->kind == SPEC_PY_NAME && spec_py_is(&source, token, tool))
      rc = report(plan, member, mode, token->line, err);
    now = next(now, &source, token);
  }
  return rc;
}
