/* output.c: the only place that prints. */
#include "cli/cli.h"

#include "base/err.h"
#include "base/event.h"
#include <stdio.h>

void spec_cli_print(const char *text) {
  fputs(text, stdout);
}

int spec_cli_print_json(spec_cli *cli, const json_t *value, spec_err *err) {
  spec_buf text = {0};
  int rc = spec_json_dump(&text, value, err);
  if (rc == 0)
    spec_cli_print(spec_buf_text(&text));
  cli->answered |= rc == 0;
  spec_buf_dispose(&text);
  return rc;
}

int spec_cli_add_findings(spec_cli *cli, json_t *root) {
  return spec_json_put(root, "findings", json_incref(cli->findings));
}

/* Findings go to standard error, or into the JSON answer. */
void spec_cli_on_event(void *user, const spec_event *event) {
  spec_cli *cli = user;
  if (cli->errors_only && event->severity != SPEC_ERROR)
    return;
  if (cli->findings != NULL) {
    cli->failed |= spec_json_push(cli->findings, spec_event_json(event)) != 0;
    return;
  }
  spec_buf text = {0};
  spec_event_text(&text, event, cli->color);
  cli->failed |= spec_buf_failed(&text);
  fputs(spec_buf_text(&text), stderr);
  spec_buf_dispose(&text);
}
