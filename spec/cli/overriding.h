/* overriding.h: what the commands have in common that change overrides of a backend. */
#ifndef SPEC_CLI_OVERRIDING_H
#define SPEC_CLI_OVERRIDING_H

#include "cli/trunk_side.h"
#include "core/vendor_files.h"
#include "git/override_base.h"

typedef struct spec_overriding {
  spec_cli *cli;
  const spec_backend *backend;
  spec_lock lock;
  bool has_lock; /* the file exists */
  spec_revision head;
  spec_base_from from;
  spec_vendor_file *files;
  size_t file_count;
} spec_overriding;

/* The backend of the options, its files and lock, and the trunk: the revision of --rev, or else the
 * folder, with or without a repository. */
int spec_overriding_open(spec_overriding *out, spec_cli *cli, spec_err *err);
void spec_overriding_close(spec_overriding *overriding);

/* Writes the lock with the line of an override that was made anew; nothing if it is there. */
int spec_overriding_lock(spec_overriding *overriding, const spec_lock_line *line, spec_err *err);

#endif
