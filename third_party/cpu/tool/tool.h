/* tool.h: what the commands of ttcpu share. Whatever goes wrong is said on the standard error, by
 * the function that finds it; its callers hand the exit status on. */
#ifndef TTCPU_TOOL_H
#define TTCPU_TOOL_H

#include "compiler/tile/tile.h"

/* Exit statuses: a module is refused, or what it asserts does not hold; all else that fails. */
enum { TOOL_OK = 0, TOOL_REFUSED = 1, TOOL_FAILED = 2 };

/* Says what is wrong, behind "ttcpu: ". Returns TOOL_FAILED. */
int tool_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The commands: argv has what stands behind the command's name, and its order may change. Each
 * returns the exit status. */
int cmd_cat(int argc, char **argv);
int cmd_compile(int argc, char **argv);
int cmd_run(int argc, char **argv);

/* An option: "--name", which sets *flag, or "--name VALUE", which sets *value. */
typedef struct tool_option {
  const char *name; /* with its dashes; NULL ends a table */
  bool *flag;
  const char **value;
} tool_option;

/* Takes the options out of argv, wherever they stand, and moves the other words to its front.
 * Returns how many these are, or -1 for an option that is unknown or lacks its value. */
int tool_options(int argc, char **argv, const tool_option *options);

/* What a command reads. */
typedef struct tool_source {
  const char *name; /* for messages */
  tc_text text;
} tool_source; /* zero-initialise; tc_text_free(&text) */

/* Reads all of the file, or of the standard input for "-". */
int tool_slurp(tool_source *out, const char *path);
/* Reads and checks the module. It lives on the source's text; tc_module_free. */
int tool_read(tc_module **out, const tool_source *source);
/* Says what is wrong with the source, and where. */
int tool_complain(const tool_source *source, const tc_err *err);

/* Adds what the program becomes. 0 or a negative code. */
typedef int (*tool_emitter)(tc_text *out, const tc_program *program, tc_err *err);
/* Adds what emit makes of the module; strict as tc_lower_options has it. */
int tool_translate(tc_text *out, const tool_source *source, tool_emitter emit, bool strict);

/* Compiles generated C to the bytes of a library, by clang: the environment's TTCPU_CC, or the one
 * that is there. rt is the folder of what the C includes, NULL for the one beside this program. */
int tool_build(tool_source *library, const tc_text *c, const char *rt);
/* Makes a template of mkstemp() or mkdtemp() in the folder for temporary files. */
int tool_temporary(tc_text *out, const char *name);

/* Writes text to the file, or to the standard output for NULL. */
int tool_write(const char *path, const tc_text *text);

#endif
