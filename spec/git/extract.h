/* extract.h: an overlay made of a fork, and the proof that it is the fork.
 *
 *   spec_extract_plan()   what becomes of each file in which the fork differs from its base
 *   spec_extract_write()  the backend's folder
 *   spec_extract_prove()  reads that folder as the engine does, puts it over the base, and compares
 *                         every file with the fork's
 */
#ifndef SPEC_GIT_EXTRACT_H
#define SPEC_GIT_EXTRACT_H

#include "git/snapshot.h"

typedef enum spec_extract_form {
  SPEC_EXTRACT_PATCH,
  SPEC_EXTRACT_COPY,     /* of a file that the base has too */
  SPEC_EXTRACT_ADDITION, /* the base has no such file */
  SPEC_EXTRACT_REMOVAL,  /* [remove] in spec.ini */
  SPEC_EXTRACT_OWN,  /* a file of third_party/<name>, which becomes the backend's folder itself */
  SPEC_EXTRACT_REST, /* no overlay can hold it */
  SPEC_EXTRACT_FORMS
} spec_extract_form;

/* One file in which the two differ. */
typedef struct spec_extract_item {
  const char *trunk;
  spec_extract_form form;
  const char *overlay; /* below the backend's folder; "spec.ini" for a removal; NULL for the rest */
  const char *reason;  /* of the rest: why */
  const spec_snapshot_file *base, *fork; /* NULL: there is none */
  size_t removed, added;                 /* lines in which the fork differs; of files alone */
  size_t lines;                          /* of the fork's file */
  const char *text;                      /* what is written; NULL for removals and the rest */
  size_t len, carried;                   /* its bytes and lines */
  bool executable;
  const char *policy; /* path for which [policy] of spec.ini says "whole"; NULL: none */
  bool unowned;       /* an added source that no CMake file of the fork names */
} spec_extract_item;

typedef struct spec_extract {
  spec_arena *arena;
  const spec_snapshot *base, *fork;
  const char *name;         /* of the backend */
  const char *own;          /* "third_party/<name>" */
  spec_extract_item *items; /* sorted by trunk path */
  size_t count, cap;
  size_t forms[SPEC_EXTRACT_FORMS]; /* how many of each */
  size_t unchanged;                 /* files that are the same in both */
} spec_extract;

/* Compares the two, and makes the texts.  `name` is the backend's.  Errors of reading alone. */
int spec_extract_plan(spec_extract *out, spec_arena *arena, const spec_snapshot *base,
                      const spec_snapshot *fork, const char *name, spec_err *err);

/* Writes the overlay into an empty folder: the files, spec.ini where it says something, and
 * spec.lock.  `head` is what is checked out where the base is a folder, a
 * revision of `repository`; NULL: not known. */
int spec_extract_write(const spec_extract *e, const char *dir, const spec_revision *head,
                       spec_repository *repository, spec_err *err);

/* How many of the fork's files were compared, and came out the same byte for byte. */
typedef struct spec_extract_proof {
  size_t equal;  /* files, removed ones among them */
  size_t listed; /* of the rest */
} spec_extract_proof;

/* SPEC_EREFUSED: a file comes out otherwise; the message names it. */
int spec_extract_prove(spec_extract_proof *out, const spec_extract *e, const char *dir,
                       spec_err *err);

const char *spec_extract_form_name(spec_extract_form form);

#endif
