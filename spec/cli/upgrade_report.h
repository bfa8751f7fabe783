/* upgrade_report.h: what `upgrade` says, as text or JSON. */
#ifndef SPEC_CLI_UPGRADE_REPORT_H
#define SPEC_CLI_UPGRADE_REPORT_H

#include "cli/cli.h"
#include "git/upgrade.h"

/* What became of every override.  `waits`: files with conflict markers were written. */
int spec_report_upgrade(spec_cli *cli, const spec_backend *backend, const spec_upgrade *upgrade,
                        bool written, bool waits, spec_err *err);
/* What --continue came to. */
int spec_report_rest(spec_cli *cli, const spec_journal *journal, const spec_unresolved *left,
                     spec_err *err);
/* What --abort came to; `kept`: edited files that were put aside. */
int spec_report_undone(spec_cli *cli, const spec_journal *journal, size_t kept, spec_err *err);
/* What --accept came to. */
int spec_report_accepted(spec_cli *cli, size_t accepted, spec_err *err);

#endif
