/* changed_lines.c */
#include "git/changed_lines.h"

#include "base/err.h"
#include <git2.h>

int spec_changed_lines(long *added, long *removed, const char *old, size_t old_len, const char *new,
                       size_t new_len, spec_err *err) {
  git_patch *patch = NULL;
  git_diff_options options;
  size_t plus = 0, minus = 0;
  (void)git_diff_options_init(&options, GIT_DIFF_OPTIONS_VERSION);
  options.context_lines = 0;
  if (git_patch_from_buffers(&patch, old, old_len, NULL, new, new_len, NULL, &options) < 0 ||
      git_patch_line_stats(NULL, &plus, &minus, patch) < 0) {
    git_patch_free(patch);
    return spec_fail(err, SPEC_EIO, "cannot compare two texts");
  }
  bool binary = (git_patch_get_delta(patch)->flags & GIT_DIFF_FLAG_BINARY) != 0;
  git_patch_free(patch);
  if (binary)
    return spec_fail(err, SPEC_EINVAL, "these are no texts");
  *added = (long)plus;
  *removed = (long)minus;
  return SPEC_OK;
}
