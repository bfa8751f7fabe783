/* targets.h: the build's targets, as CMake lists them for the engine.
 *
 * The list is text, one "keyword value" a line; a value is a CMake list or a
 * single word.  Global lines: `build <dir>`, `project <dir>`, `flags <text>`, `configs <list>`,
 * `cmake <path>` (a CMake override that was read), `td <file> <owner>` (tab between), `reads <file>
 * <list>` (tab; what the rules of that file read, absolute),
 * `alias <name> <target>` (tab), `addition <target> <path>` (tab) and
 * `needs <target>`, both from spec.cmake; `utilities <list>` names targets that compile nothing.
 * `target <name>` begins a target; the lines that follow describe it:
 * `type`, `dir`, `bin`, `current` (ON when both are on the include path),
 * `sources`, `isources`, `includes`, `iincludes`, `isystem`, `system` (ON when who links it takes
 * `iincludes` for system folders), `links`, `ilinks`, `options`,
 * `ioptions`, `soptions` (of its sources), `pch`, `ipch`, `pchfrom` (a target whose precompiled
 * header is used), `unity` (ON for a unity build) with `solo <file>` for each source that is surely
 * in no batch, and `source <file><tab><include list>` for each source with include folders of its
 * own. */
#ifndef SPEC_CPP_TARGETS_H
#define SPEC_CPP_TARGETS_H

#include "base/map.h"

/* A CMake list: its items, generator expressions kept whole. */
typedef struct spec_list {
  const char **items;
  size_t count;
} spec_list;

typedef struct spec_target {
  const char *name, *type, *dir, *bin, *pch_from;
  bool current, unity, system;
  spec_list sources, isources, includes, iincludes, isystem, links, ilinks, options, ioptions,
      soptions, pch, ipch;
  spec_map *source_includes; /* file as listed -> const spec_list *, or NULL map */
  spec_map *solo;            /* files as listed, or NULL map */
} spec_target;

/* Two words of one line. */
typedef struct spec_pair {
  const char *first, *second;
} spec_pair;

typedef struct spec_targets {
  const char *build, *project, *flags;
  spec_target *items;
  size_t count;
  spec_map *by_name;  /* name or alias -> spec_target * */
  spec_map *td_reads; /* file of `reads` -> const spec_list * */
  spec_pair *tds, *additions, *aliases;
  size_t td_count, addition_count, alias_count;
  spec_list cmakes, needs;
  spec_list configs; /* the build types, "" counts as none */
} spec_targets;

/* Parses text; `file` is for messages.  SPEC_EPARSE names file and line. */
int spec_targets_parse(spec_arena *arena, spec_targets *out, const char *text, size_t len,
                       const char *file, spec_err *err);
void spec_targets_dispose(spec_targets *targets);

/* Splits a CMake list; ';' inside $<...> or [...] or behind a backslash does not separate. Items
 * keep their backslashes. */
int spec_list_split(spec_arena *arena, spec_list *out, const char *text, size_t len, spec_err *err);

#endif
