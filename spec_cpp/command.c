/* command.c */
#include "command.h"

#include "base/buf.h"
#include "base/err.h"
#include "base/path.h"
#include "shell.h"
#include <string.h>

typedef struct adapter {
  spec_arena *arena;
  const spec_command_line *line;
  const spec_command_change *change;
  spec_buf text;
  bool begun; /* an option was met */
  bool named; /* the source was met */
} adapter;

static void separate(adapter *a) {
  if (a->text.len > 0)
    spec_buf_char(&a->text, ' ');
}

static void add(adapter *a, const char *word) {
  separate(a);
  spec_shell_quote(&a->text, word);
}

static bool names_source(adapter *a, const char *word) {
  const char *path = *word == '-' ? NULL : spec_path_resolve(a->arena, a->line->directory, word);
  a->text.failed |= *word != '-' && path == NULL;
  return path != NULL && strcmp(path, a->line->file) == 0;
}

/* The folder comes before all others: behind the compiler, which may be two words. */
static void begin_options(adapter *a, const char *word) {
  if (a->begun || (*word != '-' && !a->named))
    return;
  a->begun = true;
  if (a->change->quoted != NULL) {
    add(a, "-iquote");
    add(a, a->change->quoted);
  }
}

static void add_source(adapter *a) {
  if (a->change->language != NULL) {
    add(a, "-x");
    add(a, a->change->language);
  }
  add(a, a->change->file);
}

/* One word; *skip: the next one belongs to it and goes as well. */
static void adapt_word(adapter *a, const spec_shell_word *word, bool *skip) {
  bool header = a->change->language != NULL;
  bool source = names_source(a, word->text);
  a->named |= source;
  begin_options(a, word->text);
  if (strcmp(word->text, SPEC_COMMAND_GCC_ONLY) == 0)
    return;
  if (source) {
    add_source(a);
  } else if (header && strcmp(word->text, "-o") == 0) {
    *skip = true; /* whoever runs the command must not overwrite the object */
  } else if (header && strcmp(word->text, "-c") == 0) {
    add(a, "-fsyntax-only");
  } else {
    separate(a);
    spec_buf_add(&a->text, a->line->text + word->begin, word->end - word->begin);
  }
}

int spec_command_adapt(spec_arena *arena, const char **out, const spec_command_line *line,
                       const spec_command_change *change, spec_err *err) {
  adapter a = {.arena = arena, .line = line, .change = change};
  spec_shell_word word;
  bool skip = false;
  size_t at = 0;
  int rc;
  while ((rc = spec_shell_next(arena, &word, line->text, &at, err)) == 0 && word.text != NULL) {
    if (skip)
      skip = false;
    else
      adapt_word(&a, &word, &skip);
  }
  *out = NULL;
  if (rc == 0 && a.named && !spec_buf_failed(&a.text))
    *out = spec_arena_strdup(arena, spec_buf_text(&a.text));
  if (rc == 0 && (spec_buf_failed(&a.text) || (a.named && *out == NULL)))
    rc = spec_fail_memory(err);
  spec_buf_dispose(&a.text);
  return rc;
}

const char *spec_command_define(const char *text, const char *name) {
  size_t len = strlen(name);
  for (const char *at = strstr(text, name); at != NULL; at = strstr(at + len, name))
    if (at - text >= 2 && strncmp(at - 2, "-D", 2) == 0 && at[len] == '=')
      return at + len + 1;
  return NULL;
}
