/* cmd_cache.c: the stages of live mode in the user's cache. */
#include "cli/cli.h"

#include "base/err.h"
#include "base/fs.h"
#include "package/cache.h"

static const spec_cli_option options[] = {
    {"--clear", NULL, "remove every stage that no process uses", SPEC_CLI_SWITCH,
     offsetof(spec_cli_args, clear)},
    SPEC_CLI_JSON_OPTION,
};

static int stage_json(json_t *list, const spec_cached *stage) {
  json_t *item = json_object();
  int rc = spec_json_put(item, "key", json_string(stage->key));
  rc |= spec_json_put(item, "backend", spec_json_text(stage->backend, NULL));
  rc |= spec_json_put(item, "trunk", spec_json_text(stage->trunk, NULL));
  rc |= spec_json_put(item, "bytes", json_integer((json_int_t)stage->bytes));
  rc |= spec_json_put(item, "unused_seconds", json_integer((json_int_t)stage->unused));
  rc |= spec_json_put(item, "in_use", json_boolean(stage->in_use));
  rc |= spec_json_put(item, "removed", json_boolean(stage->removed));
  return rc | spec_json_push(list, item);
}

static int print_json(spec_cli *cli, const char *folder, const spec_cached *stages, size_t count,
                      spec_err *err) {
  json_t *root = json_object(), *list = json_array();
  int rc = spec_json_put(root, "cache", spec_json_text(folder, NULL));
  for (size_t i = 0; i < count; i++)
    rc |= stage_json(list, &stages[i]);
  rc |= spec_json_put(root, "stages", list);
  rc |= spec_cli_add_findings(cli, root);
  rc = rc != 0 ? spec_fail_memory(err) : spec_cli_print_json(cli, root, err);
  json_decref(root);
  return rc;
}

/* "3 days", "5 min" */
static const char *age_of(spec_arena *arena, int64_t seconds) {
  static const struct {
    int64_t seconds;
    const char *unit;
  } units[] = {{86400, "days"}, {3600, "h"}, {60, "min"}, {1, "s"}};
  size_t i = 0;
  while (i + 1 < sizeof units / sizeof *units && seconds < 2 * units[i].seconds)
    i++;
  return spec_arena_printf(arena, "%lld %s", (long long)(seconds / units[i].seconds),
                           units[i].unit);
}

static int print_text(spec_cli *cli, const char *folder, const spec_cached *stages, size_t count,
                      spec_err *err) {
  spec_buf text = {0};
  uint64_t bytes = 0;
  size_t left = 0;
  for (size_t i = 0; i < count; i++) {
    const char *age = age_of(cli->arena, stages[i].unused);
    spec_buf_printf(&text, "%s  %-12s %6.1f MiB  %8s  %s%s\n", stages[i].key, stages[i].backend,
                    (double)stages[i].bytes / (1 << 20), age == NULL ? "" : age, stages[i].trunk,
                    stages[i].removed  ? "  (removed)"
                    : stages[i].in_use ? "  (in use)"
                                       : "");
    left += !stages[i].removed;
    bytes += stages[i].removed ? 0 : stages[i].bytes;
  }
  spec_buf_printf(&text, "%s: %zu stage%s, %.1f MiB\n", folder, left, left == 1 ? "" : "s",
                  (double)bytes / (1 << 20));
  int rc = spec_buf_failed(&text) ? spec_fail_memory(err) : SPEC_OK;
  if (rc == 0)
    spec_cli_print(spec_buf_text(&text));
  spec_buf_dispose(&text);
  return rc;
}

static int run(spec_cli *cli, spec_err *err) {
  const char *folder;
  spec_cached *stages = NULL;
  size_t count = 0;
  int rc = spec_cache_folder(cli->arena, &folder, err);
  if (rc == 0)
    rc = spec_cache_list(cli->arena, &stages, &count, folder, err);
  if (rc == 0 && cli->args.clear)
    rc = spec_cache_clear(cli->arena, stages, count, folder, err);
  if (rc != 0)
    return rc;
  return cli->args.json ? print_json(cli, folder, stages, count, err)
                        : print_text(cli, folder, stages, count, err);
}

const spec_command spec_cmd_cache = {"cache",
                                     "[options]",
                                     "List the stages of live mode, or remove them.",
                                     options,
                                     sizeof options / sizeof *options,
                                     0,
                                     0,
                                     run};
