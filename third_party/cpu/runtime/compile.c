/* compile.c: from the text of a module to loop nests and C, by the compiler's library. */
#include "extension.h"

#include "compiler/emit.h"
#include "compiler/lower/lower.h"

#include <string.h>

/* What one call of compile() makes; all without the interpreter's lock. */
typedef struct compilation {
  const char *text;
  size_t len;
  tc_lower_options options;
  tc_text tile, c, linalg;
  tc_err err;
} compilation;

/* What has no form in linalg has one in C all the same: the reason then stands for the text. */
static int emit_linalg(compilation *work, const tc_program *program) {
  tc_err err = {0};
  int rc = tc_emit_linalg(&work->linalg, program, &err);
  if (rc != TC_EREFUSED)
    return rc;
  tc_add_format(&work->linalg, "// line %zu: %s\n", err.line, err.what);
  return TC_OK;
}

static int emit(compilation *work, const tc_program *program) {
  tc_tile_print(&work->tile, program);
  int rc = tc_emit_c(&work->c, program, &work->err);
  if (rc == TC_OK)
    rc = emit_linalg(work, program);
  if (rc == TC_OK && (work->tile.failed || work->c.failed || work->linalg.failed))
    rc = TC_ENOMEM;
  return rc;
}

static int compile_text(compilation *work) {
  tc_module *module = NULL;
  tc_program *program = NULL;
  int rc = tc_read(&module, work->text, work->len, &work->err);
  if (rc == TC_OK)
    rc = tc_lower(&program, module, &work->options, &work->err);
  if (rc == TC_OK)
    rc = emit(work, program);
  tc_program_free(program);
  tc_module_free(module);
  return rc;
}

/* The line that an error names, without the blanks before it; len is its length. */
static const char *line_of(const compilation *work, size_t *len) {
  const char *line = work->text, *end = work->text + work->len;
  for (size_t n = 1; n < work->err.line && line != NULL; n++) {
    line = memchr(line, '\n', (size_t)(end - line));
    line = line == NULL ? NULL : line + 1;
  }
  while (line != NULL && line < end && *line == ' ')
    line++;
  const char *stop = line == NULL ? NULL : memchr(line, '\n', (size_t)(end - line));
  *len = line == NULL ? 0 : (size_t)((stop == NULL ? end : stop) - line);
  return line;
}

static PyObject *raise_refusal(const ext_state *state, const compilation *work) {
  const tc_err *err = &work->err;
  size_t len;
  const char *line = line_of(work, &len);
  PyObject *quoted = PyUnicode_DecodeUTF8(line == NULL ? "" : line,
                                          (Py_ssize_t)(len < 300 ? len : 300), "replace");
  if (quoted == NULL)
    return NULL;
  PyObject *message = PyUnicode_FromFormat(
      "line %zu, column %zu of the kernel's generic form: %s%s%s\n  %U", err->line, err->column,
      err->what, err->mend[0] == 0 ? "" : "; ", err->mend, quoted);
  if (message != NULL)
    PyErr_SetObject(state->compile_error, message);
  Py_XDECREF(message);
  Py_DECREF(quoted);
  return NULL;
}

static PyObject *text_of(const tc_text *text) {
  return PyUnicode_DecodeUTF8(text->data, (Py_ssize_t)text->len, "surrogateescape");
}

static PyObject *compile(PyObject *module, PyObject *args, PyObject *keywords) {
  static char *names[] = {"", "strict", NULL};
  compilation work = {.text = NULL};
  Py_ssize_t len;
  int strict = 0;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "s#|$p:compile", names, &work.text, &len,
                                   &strict))
    return NULL;
  work.len = (size_t)len;
  work.options.strict = strict != 0;
  PyThreadState *state = PyEval_SaveThread();
  int rc = compile_text(&work);
  PyEval_RestoreThread(state);
  PyObject *result = NULL;
  if (rc == TC_ENOMEM)
    PyErr_NoMemory();
  else if (rc != TC_OK)
    raise_refusal(ext_state_of(module), &work);
  else
    result = Py_BuildValue("(NNN)", text_of(&work.tile), text_of(&work.c), text_of(&work.linalg));
  tc_text_free(&work.tile);
  tc_text_free(&work.c);
  tc_text_free(&work.linalg);
  return result;
}

PyMethodDef ext_compile_methods[] = {
    {"compile", (PyCFunction)(void (*)(void))compile, METH_VARARGS | METH_KEYWORDS,
     "compile($module, text, /, *, strict=False)\n--\n\n"
     "Compile a module in MLIR's generic form: (its loop nests as text, C, linalg).\n"
     "What has no form in linalg is a comment there that says why.\n\n"
     "Raises CompileError, which names the line, for what is refused."},
    {NULL, NULL, 0, NULL},
};
