/* event.c: one finding, two renderings. An error is rendered as the finding that it is. */
#include "base/event.h"

#include <string.h>

static const char *const colours[] = {
    [SPEC_NOTE] = "\033[36m",
    [SPEC_WARNING] = "\033[33m",
    [SPEC_ERROR] = "\033[31m",
};

static const char *or_empty(const char *text) {
  return text != NULL ? text : "";
}

/* Adds text that may hold a file's name: control characters are spelled out, so that no name can
 * steer a terminal; the lines after the first are indented. */
static void add_visible(spec_buf *out, const char *text) {
  for (; *text != '\0'; text++) {
    unsigned char c = (unsigned char)*text;
    if (c == '\n')
      spec_buf_str(out, "\n    ");
    else if (c < 0x20 || c == 0x7F)
      spec_buf_printf(out, "\\x%02x", c);
    else
      spec_buf_char(out, *text);
  }
}

static void add_detail(spec_buf *out, const char *label, const char *text) {
  if (or_empty(text)[0] == '\0')
    return;
  spec_buf_printf(out, "  %s: ", label);
  add_visible(out, text);
  spec_buf_char(out, '\n');
}

void spec_event_text(spec_buf *out, const spec_event *event, bool color) {
  spec_buf_str(out, color ? colours[event->severity] : "");
  spec_buf_printf(out, "%s[%s]:", spec_severity_name(event->severity), or_empty(event->code));
  spec_buf_str(out, color ? "\033[0m " : " ");
  add_visible(out, or_empty(event->message));
  spec_buf_char(out, '\n');
  add_detail(out, "at", event->where);
  add_detail(out, "mend", event->mend);
}

static spec_event event_of(const spec_err *err) {
  return (spec_event){
      .severity = SPEC_ERROR,
      .code = spec_code_name(err->code),
      .where = err->where,
      .message = err->what,
      .mend = err->mend,
  };
}

void spec_err_text(spec_buf *out, const spec_err *err, bool color) {
  spec_event event = event_of(err);
  spec_event_text(out, &event, color);
}

json_t *spec_event_json(const spec_event *event) {
  const struct {
    const char *key;
    const char *text;
  } members[] = {
      {"severity", spec_severity_name(event->severity)},
      {"code", or_empty(event->code)},
      {"where", or_empty(event->where)},
      {"message", or_empty(event->message)},
      {"mend", or_empty(event->mend)},
  };
  json_t *object = json_object();
  for (size_t i = 0; object != NULL && i < sizeof members / sizeof *members; i++) {
    if (spec_json_put(object, members[i].key, spec_json_text(members[i].text, NULL)) < 0) {
      json_decref(object);
      object = NULL;
    }
  }
  return object;
}

json_t *spec_err_json(const spec_err *err) {
  spec_event event = event_of(err);
  return spec_event_json(&event);
}

const char *spec_severity_name(spec_severity severity) {
  static const char *const names[] = {"note", "warning", "error"};
  return names[severity];
}
