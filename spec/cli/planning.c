/* planning.c: where trunk, backend and overlay roots come from. */
#include "cli/cli.h"

#include "base/err.h"
#include "base/fs.h"
#include "base/path.h"
#include "core/drift.h"
#include <stdlib.h>
#include <string.h>

typedef struct root_list {
  const char **items;
  size_t count;
} root_list;

static int add_root(spec_cli *cli, root_list *roots, const char *dir, spec_err *err) {
  const char **grown = spec_arena_grow(cli->arena, roots->items, roots->count * sizeof dir,
                                       (roots->count + 1) * sizeof dir);
  if (grown == NULL || dir == NULL)
    return spec_fail_memory(err);
  roots->items = grown;
  grown[roots->count++] = dir;
  return SPEC_OK;
}

/* The folders of a list variable; TRITON_PLUGIN_DIRS is split at ';' by Triton's
 * own build, SPEC_PATH at ':' like PATH. */
static int add_variable(spec_cli *cli, root_list *roots, const char *name, const char *separators,
                        spec_err *err) {
  const char *text = getenv(name);
  int rc = 0;
  /* strspn and strcspn stop at the NUL. NOLINTNEXTLINE(clang-analyzer-security.ArrayBound) */
  while (rc == 0 && text != NULL && *(text += strspn(text, separators)) != '\0') {
    size_t len = strcspn(text, separators);
    rc = add_root(cli, roots, spec_arena_strndup(cli->arena, text, len), err);
    text += len;
  }
  return rc;
}

static int find_roots(spec_cli *cli, root_list *roots, const char *trunk, spec_err *err) {
  int rc = SPEC_OK;
  if (!cli->installed)
    rc = add_root(cli, roots, spec_path_join(cli->arena, trunk, "third_party"), err);
  for (size_t i = 0; rc == 0 && i < cli->args.root_count; i++)
    rc = add_root(cli, roots, cli->args.roots[i], err);
  if (rc == 0)
    rc = add_variable(cli, roots, "SPEC_PATH", ":", err);
  return rc != 0 ? rc : add_variable(cli, roots, "TRITON_PLUGIN_DIRS", ";", err);
}

int spec_cli_options(spec_cli *cli, spec_options *out, spec_err *err) {
  const char *trunk = cli->args.trunk != NULL ? cli->args.trunk : ".";
  const char *backend = cli->args.backend != NULL ? cli->args.backend : getenv("FLAGTREE_BACKEND");
  if (backend == NULL || *backend == '\0') {
    spec_fail(err, SPEC_EINVAL, "no backend is named");
    return spec_fail_mend(err, "give --backend NAME or set FLAGTREE_BACKEND");
  }
  spec_drift drift = SPEC_DRIFT_DEFAULT;
  if (cli->args.drift != NULL && (drift = spec_drift_named(cli->args.drift)) == SPEC_DRIFT_DEFAULT)
    return spec_fail(err, SPEC_EINVAL, "'--drift' is 'ignore', 'warn' or 'error', and not '%s'",
                     cli->args.drift);
  root_list roots = {0};
  cli->installed |= cli->args.installed;
  int rc = find_roots(cli, &roots, trunk, err);
  if (rc != 0)
    return rc;
  *out = (spec_options){
      .trunk = trunk,
      .installed = cli->installed,
      .backend = backend,
      .roots = roots.items,
      .root_count = roots.count,
      .trace = cli->trace,
      .strict_redundant = !cli->args.warn_redundant,
      .drift = drift,
      .count_lines = spec_cli_count_lines,
      .count_user = cli,
      .on_event = spec_cli_on_event,
      .user = cli,
  };
  return SPEC_OK;
}

int spec_cli_plan(spec_cli *cli, spec_plan **out, spec_err *err) {
  spec_options options;
  int rc = spec_cli_options(cli, &options, err);
  return rc != 0 ? rc : spec_plan_new(out, &options, err);
}
