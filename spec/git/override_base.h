/* override_base.h: the trunk's file that an override is made against, and the file that the two
 * make. */
#ifndef SPEC_GIT_OVERRIDE_BASE_H
#define SPEC_GIT_OVERRIDE_BASE_H

#include "core/lock.h"
#include "core/vendor_files.h"
#include "git/repository.h"

/* Where bases are looked for. */
typedef struct spec_base_from {
  spec_arena *arena;
  spec_repository *repository;
  spec_revision trunk;       /* a revision, or a folder as it lies */
  bool is_named;             /* the user named that revision: it is the base, whatever is locked */
  const spec_revision *head; /* what a folder's files are of if they are the same; NULL: unknown */
  const spec_lock *lock;
} spec_base_from;

/* A file, or none. */
typedef struct spec_file_text {
  const char *text; /* NULL: there is no such file */
  size_t len;
  bool executable;
} spec_file_text;

typedef struct spec_override_base {
  spec_file_text file;
  bool is_locked;      /* spec.lock says so; else it is the trunk's file, or that of the revision */
  spec_lock_line line; /* of the lock, or the one to be written */
} spec_override_base;

/* The base of a trunk path: that of the named revision, or of the lock, or else the file that the
 * trunk has.  SPEC_ENOTFOUND: the locked text is not at hand; SPEC_EINVAL: the path is no file. */
int spec_override_base_of(spec_override_base *out, const spec_base_from *from, const char *trunk,
                          spec_err *err);

/* What an override makes of its base: a copy's own bytes, or the base with the patch applied; no
 * file for a removal.  Errors as of spec_patch_apply(). */
int spec_override_outcome(spec_file_text *out, spec_arena *arena, const spec_vendor_file *file,
                          const spec_override_base *base, spec_err *err);

/* Whether a patch makes exactly these bytes of a base, and that mode. */
int spec_override_check(spec_arena *arena, const char *patch, size_t len, const char *trunk,
                        const spec_file_text sides[2], spec_err *err);

#endif
