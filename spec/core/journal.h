/* journal.h: changes to a backend's folder that are made all or not at all, over the lives of
 * several processes.
 *
 * `.spec-upgrade/` appears in the folder at once, by a rename, with all that is needed to go on and
 * to go back, before any file of the vendor's is touched:
 *
 *   journal       what is to be changed, see below
 *   old/<n>       the bytes of the n-th change's file as it was
 *   new/<n>       as it will be
 *   their/<n>     the trunk's new text, of what conflicts
 *   applied       there once all new bytes are in their places
 *
 * The journal is a text: "# triton-spec upgrade 1", a line "to TAB <commit or -> TAB <as named>",
 * and for each change a line "change TAB clean|conflict TAB copy|patch|lock TAB <flags> TAB <path
 * in the trunk> TAB <old path or -> TAB <new path or ->".  Paths are below the folder.  Flags: "x"
 * in the first place: the old file is executable, in the second: the new one; "-": not. */
#ifndef SPEC_CORE_JOURNAL_H
#define SPEC_CORE_JOURNAL_H

#include "base/arena.h"

#define SPEC_JOURNAL_DIR ".spec-upgrade"

typedef enum spec_change_form {
  SPEC_CHANGE_COPY,
  SPEC_CHANGE_PATCH, /* a conflict: the new path holds the whole file, to become a patch again */
  SPEC_CHANGE_LOCK   /* written at the end only */
} spec_change_form;

/* A file's bytes; text NULL: no such file. */
typedef struct spec_journal_text {
  const char *text;
  size_t len;
  bool executable;
} spec_journal_text;

typedef struct spec_journal_change {
  bool conflict;
  spec_change_form form;
  const char *trunk;               /* path of the trunk's file, as it is called now */
  const char *old_path, *new_path; /* below the folder; NULL: nothing was, or will be, there */
  spec_journal_text old, new;
  spec_journal_text their; /* of what conflicts */
} spec_journal_change;

typedef struct spec_journal {
  const char *folder;       /* absolute */
  const char *commit, *rev; /* what was upgraded to; commit "-": not known */
  spec_journal_change *changes;
  size_t count, cap;
  bool applied;
} spec_journal;

/* Reads the text of a journal; `file` is for messages.  The changes have no bytes yet.
 * SPEC_EPARSE with "file:line": another version, a line that is none, a path that leaves the
 * folder. */
int spec_journal_parse(spec_journal *out, spec_arena *arena, const char *text, size_t len,
                       const char *file, spec_err *err);
/* Reads the journal of a folder with all its bytes; *exists false: it has none. */
int spec_journal_read(spec_journal *out, bool *exists, spec_arena *arena, const char *folder,
                      spec_err *err);

/* Makes the journal; the files themselves are untouched.  Removes what an earlier process left that
 * was killed before.  SPEC_EBUSY: there is one already; SPEC_EREFUSED: a path with a tab or a line
 * end. */
int spec_journal_begin(const spec_journal *journal, spec_arena *arena, spec_err *err);
/* Puts the new bytes where they belong, but for the lock; may be repeated.  A file that is neither
 * as it was nor as it will be has been edited since, and stays. */
int spec_journal_apply(spec_journal *journal, spec_arena *arena, spec_err *err);
/* Puts the old bytes back, the lock too; may be repeated.  What was edited since is kept in
 * `.spec-upgrade-edited/`; *kept: how many files. */
int spec_journal_undo(const spec_journal *journal, spec_arena *arena, size_t *kept, spec_err *err);
/* Removes the journal. */
int spec_journal_end(const spec_journal *journal, spec_arena *arena, spec_err *err);

#endif
