/* kind.c: the table of kinds.  A file's kind follows from its name alone, so
 * that a vendor can tell it without running anything. */
#include "core/kind.h"

#include "base/path.h"
#include <string.h>

static const struct {
  const char *ext;
  spec_kind kind;
} extensions[] = {
    {".c", SPEC_KIND_SOURCE},    {".cc", SPEC_KIND_SOURCE},  {".cpp", SPEC_KIND_SOURCE},
    {".cxx", SPEC_KIND_SOURCE},  {".c++", SPEC_KIND_SOURCE}, {".C", SPEC_KIND_SOURCE},
    {".cu", SPEC_KIND_SOURCE},   {".hip", SPEC_KIND_SOURCE}, {".S", SPEC_KIND_SOURCE},
    {".s", SPEC_KIND_SOURCE},    {".h", SPEC_KIND_HEADER},   {".hh", SPEC_KIND_HEADER},
    {".hpp", SPEC_KIND_HEADER},  {".hxx", SPEC_KIND_HEADER}, {".h++", SPEC_KIND_HEADER},
    {".inc", SPEC_KIND_HEADER},  {".def", SPEC_KIND_HEADER}, {".cuh", SPEC_KIND_HEADER},
    {".tcc", SPEC_KIND_HEADER},  {".ipp", SPEC_KIND_HEADER}, {".td", SPEC_KIND_TD},
    {".cmake", SPEC_KIND_CMAKE}, {".py", SPEC_KIND_PYTHON},  {".pyi", SPEC_KIND_PYTHON},
};

static const char *const ignored_names[] = {
    ".gitkeep",      ".gitignore", ".gitattributes", ".clang-format", ".clang-tidy",
    ".editorconfig", "LICENSE",    "NOTICE",         "README",
};

static const char *const ignored_extensions[] = {".md", ".rst", ".pyc", ".pyo"};

spec_kind spec_kind_of(const char *path) {
  const char *name = spec_path_basename(path);
  if (strcmp(name, "CMakeLists.txt") == 0)
    return SPEC_KIND_CMAKE;
  const char *ext = spec_path_ext(path);
  for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++)
    if (strcmp(ext, extensions[i].ext) == 0)
      return extensions[i].kind;
  return SPEC_KIND_OTHER;
}

size_t spec_kind_patched(const char *path) {
  const char *ext = spec_path_ext(path);
  return strcmp(ext, ".patch") == 0 ? (size_t)(ext - path) : 0;
}

bool spec_kind_is_ignored(const char *path) {
  const char *name = spec_path_basename(path);
  for (size_t i = 0; i < sizeof ignored_names / sizeof *ignored_names; i++)
    if (strcmp(name, ignored_names[i]) == 0)
      return true;
  const char *ext = spec_path_ext(path);
  for (size_t i = 0; i < sizeof ignored_extensions / sizeof *ignored_extensions; i++)
    if (strcmp(ext, ignored_extensions[i]) == 0)
      return true;
  return false;
}

bool spec_kind_is_ignored_dir(const char *name) {
  return strcmp(name, "__pycache__") == 0 || strcmp(name, ".git") == 0;
}

const char *spec_kind_name(spec_kind kind) {
  static const char *const names[] = {"source", "header", "td", "cmake", "python", "other"};
  return names[kind];
}

const char *spec_action_name(spec_action action) {
  static const char *const names[] = {"replace", "add", "remove", "hooks", "patch"};
  return names[action];
}

const char *spec_policy_name(spec_policy policy) {
  static const char *const names[] = {"whole", "merge", "closed", "none"};
  return names[policy];
}
