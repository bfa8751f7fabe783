/* event.h: rendering of spec_event and spec_err, the same for every report. */
#ifndef SPEC_BASE_EVENT_H
#define SPEC_BASE_EVENT_H

#include "base/json.h"

/* Text form, several lines:
 *   error[redundant]: message
 *     at: where
 *     mend: what to do
 * with ANSI colours when `color`. */
void spec_event_text(spec_buf *out, const spec_event *event, bool color);
void spec_err_text(spec_buf *out, const spec_err *err, bool color);
/* {"severity":..., "code":..., "where":..., "message":..., "mend":...} or NULL. */
json_t *spec_event_json(const spec_event *event);
json_t *spec_err_json(const spec_err *err);

#endif
