/* finding.c: the messages.  {1}..{3} are filled by the caller. */
#include "core/finding.h"

#include "base/buf.h"
#include "base/err.h"

static const spec_finding_row rows[SPEC_F_COUNT] = {
    [SPEC_F_ESCAPE] = {"escape", SPEC_ERROR, "link '{1}' leaves the overlay: it leads to '{2}'",
                       "copy the file into the overlay, or link to a file inside it"},
    [SPEC_F_LINK_LOOP] = {"link-loop", SPEC_ERROR, "link '{1}' leads back to a folder above it",
                          "remove the link"},
    [SPEC_F_DANGLING] = {"dangling-link", SPEC_ERROR, "link '{1}' leads to nothing ('{2}')",
                         "remove the link or mend its target"},
    [SPEC_F_NOT_A_FILE] = {"not-a-file", SPEC_ERROR, "'{1}' is neither a regular file nor a folder",
                           "remove the fifo, socket or device from the overlay"},
    [SPEC_F_BAD_NAME] = {"bad-name", SPEC_ERROR,
                         "the name '{1}' cannot be passed through CMake and Ninja",
                         "use UTF-8 without control characters and without ; \" \\ $ [ ] ' ` ^ < > "
                         "* ? & or a pipe"},
    [SPEC_F_UNKNOWN_KIND] = {"unknown-kind", SPEC_ERROR,
                             "'{1}' is of no kind that an overlay can hold",
                             "overrides are sources, headers, .td and CMake files; move anything "
                             "else out of the overlay's folders"},
    [SPEC_F_MISPLACED] = {"misplaced", SPEC_ERROR, "'{1}' lies where no override is looked for",
                          "move it to {2}"},
    [SPEC_F_CASE_CLASH] = {"case-clash", SPEC_ERROR, "'{1}' differs only in case from '{2}'",
                           "spell both alike: on a file system that ignores case they are one"},
    [SPEC_F_DUPLICATE] = {"duplicate", SPEC_ERROR,
                          "'{1}' and '{2}' both stand for the trunk's '{3}'",
                          "keep one of the two"},
    [SPEC_F_REDUNDANT] = {"redundant", SPEC_ERROR, "'{1}' is identical to the trunk's file",
                          "delete it: the trunk's own file does the same"},
    [SPEC_F_TRUNK_ESCAPE] = {"trunk-escape", SPEC_ERROR,
                             "the trunk's '{1}' is a link that leaves the trunk (to '{2}')",
                             "override the file where it really is, or drop the override"},
    [SPEC_F_TRUNK_NOT_FILE] = {"trunk-not-a-file", SPEC_ERROR,
                               "'{1}' stands for the trunk's '{2}', which is not a regular file",
                               "rename or remove the override"},
    [SPEC_F_TOP_CMAKE] = {"top-cmakelists", SPEC_ERROR,
                          "'{1}' would replace the CMakeLists.txt that is already being read",
                          "put the difference into the backend's spec.cmake, or override the "
                          "CMakeLists.txt of a subfolder"},
    [SPEC_F_MODULE_CLASH] = {"module-clash", SPEC_ERROR,
                             "'{1}' and the trunk's '{2}' are one module, of which Python would "
                             "import only one",
                             "override '{2}' itself, or leave it out: '[remove]' 'path = {2}' in "
                             "spec.ini"},
    [SPEC_F_CLOSED] = {"closed", SPEC_ERROR,
                       "policy closes '{2}' to overrides, so '{1}' is refused",
                       "change the trunk instead, or loosen it: '[policy]' '{2} = whole' in "
                       "spec.ini"},
    [SPEC_F_REMOVE_MISSING] = {"remove-missing", SPEC_ERROR,
                               "spec.ini removes '{1}', which the trunk does not have",
                               "drop the line{2}"},
    [SPEC_F_REMOVE_OVERRIDDEN] = {"remove-overridden", SPEC_ERROR,
                                  "'{1}' is both removed by spec.ini and overridden",
                                  "keep one of the two"},
    [SPEC_F_REMOVE_ELSEWHERE] = {"remove-elsewhere", SPEC_NOTE,
                                 "spec.ini removes '{1}', which is no part of the package: that "
                                 "concerns builds from source alone",
                                 ""},
    [SPEC_F_OLD_LAYOUT] =
        {"old-layout", SPEC_WARNING, "'{1}' is an older layout that is not read",
         "move C++ and TableGen files to spec_cpp/ and Python files to spec/triton/"},
    [SPEC_F_EMPTY_OVERLAY] = {"empty-overlay", SPEC_WARNING, "'{1}' holds no override",
                              "put files into spec_cpp/ or spec/triton/, mirrored on the trunk's "
                              "paths"},
    [SPEC_F_LAYER_WINS] = {"layer-wins", SPEC_NOTE, "'{1}': layer '{2}' wins over '{3}'", ""},
    [SPEC_F_LAYER_MERGES] = {"layer-merges", SPEC_NOTE,
                             "'{1}': layer '{2}' is merged into what '{3}' has", ""},
    [SPEC_F_LAYER_PATCHES] = {"layer-patches", SPEC_NOTE,
                              "'{1}': layer '{2}' patches what '{3}' has", ""},
    [SPEC_F_PATCH_NO_FILE] = {"patch-no-file", SPEC_ERROR,
                              "'{1}' patches '{2}', which does not exist",
                              "mend its path{3}; a new file is written whole, without '.patch'"},
    [SPEC_F_CONFLICT_MARKERS] =
        {"conflict-markers", SPEC_ERROR, "'{1}' has a conflict that a merge left",
         "decide what is to stay, and remove the lines '<<<<<<<', '=======' and '>>>>>>>'"},
    [SPEC_F_POLICY_LOOSENED] = {"policy-changed", SPEC_NOTE,
                                "'{1}': spec.ini sets the policy '{2}' (default '{3}')", ""},
    [SPEC_F_DRIFT] = {"drift", SPEC_ERROR, "'{1}' was made against another trunk: {2}",
                      "'triton-spec status' says what that means for it; once it fits again: "
                      "triton-spec lock"},
    [SPEC_F_UNLOCKED] = {"unlocked", SPEC_NOTE,
                         "spec.lock does not say against what '{1}' was made",
                         "triton-spec lock adds it"},
    [SPEC_F_LOCK_STALE] = {"lock-stale", SPEC_NOTE,
                           "spec.lock has a line for '{1}', which is not overridden any more",
                           "triton-spec lock drops it"},
    [SPEC_F_LOCK_BROKEN] =
        {"lock-broken", SPEC_ERROR, "spec.lock cannot be read: {1}",
         "mend the line; or delete the file, and write it anew: triton-spec lock"},
    [SPEC_F_UPGRADE_UNFINISHED] = {"upgrade-unfinished", SPEC_WARNING,
                                   "an upgrade of '{1}' is not finished: its files may be of two "
                                   "trunks",
                                   "triton-spec upgrade --continue, or --abort"},
    [SPEC_F_UNOWNED] = {"unowned", SPEC_ERROR,
                        "'{1}' has no counterpart in the trunk and no target owns it{2}",
                        "mend its path, or name its owner in spec.cmake: "
                        "spec_target_sources(<target> <path below spec_cpp>)"},
    [SPEC_F_UNUSED] = {"unused", SPEC_ERROR, "nothing in this build uses '{1}' (trunk: '{2}')",
                       "delete it, or switch on the part of the trunk that uses it"},
    [SPEC_F_ALREADY_LISTED] = {"already-listed", SPEC_ERROR,
                               "target '{2}' already lists '{1}' beside the trunk's '{3}'",
                               "remove it from the target's sources: the overlay swaps it in"},
    [SPEC_F_TWO_ROOTS] = {"two-roots", SPEC_ERROR,
                          "'{1}' matches two trunk files that are both built: '{2}' and '{3}'",
                          "build one of the two, or set TRITON_CORE_SOURCE_DIR to the trunk that "
                          "is meant"},
    [SPEC_F_NO_TARGET] = {"no-target", SPEC_ERROR,
                          "spec.cmake names target '{1}', which does not exist{2}",
                          "mend the name; targets of folders that are switched off do not exist"},
    [SPEC_F_NO_ADDITION] =
        {"no-addition", SPEC_ERROR,
         "spec.cmake adds '{1}' to target '{2}', but the overlay has no such file",
         "paths are relative to the backend's spec_cpp folder"},
    [SPEC_F_OUT_OF_REACH] = {"out-of-reach", SPEC_ERROR,
                             "'{1}' lies outside the trunk and includes the overridden '{2}' by a "
                             "relative path",
                             "include it by its path below the include folder"},
    [SPEC_F_FIXED_INCLUDE] =
        {"fixed-include", SPEC_ERROR,
         "'-include' in the flags of target '{1}' names '{2}', which must come "
         "from the overlay, by its absolute path",
         "name it by its path below the include folder, or in the target's "
         "compile options"},
    [SPEC_F_PATCH_BROKEN] = {"patch-broken", SPEC_ERROR, "the patch cannot be read: {1}", "{2}"},
    [SPEC_F_PATCH_MISFIT] = {"patch-misfit", SPEC_ERROR, "{1}", "{2}"},
    [SPEC_F_PATCH_UPSTREAMED] = {"patch-upstreamed", SPEC_ERROR,
                                 "what hunk {1} does to '{2}' is done there already, at line {3}",
                                 "drop the hunk, or the patch when it is the last"},
    [SPEC_F_PATCH_DELETES] = {"patch-deletes", SPEC_ERROR, "'{1}' deletes the whole file",
                              "remove it by spec.ini instead: '[remove]' 'path = {2}'"},
    [SPEC_F_PATCH_MOVED] = {"patch-moved", SPEC_NOTE, "hunk {1} of '{2}' applies {3}", ""},
    [SPEC_F_PATCH_LINE_ENDS] = {"patch-line-ends", SPEC_NOTE,
                                "'{1}' has lost its line ends: those of '{2}' are taken", ""},
    [SPEC_F_PATCH_SYNTAX] = {"patch-syntax", SPEC_ERROR,
                             "with the patch applied, '{1}' is no Python: {2}",
                             "mend the patch; 'triton-spec export' shows the module whole"},
    [SPEC_F_SHADOWED] = {"shadowed", SPEC_ERROR,
                         "'{1}' was made with the trunk's '{2}' in spite of the overlay's '{3}'",
                         "build it again; if this stays, the include comes through a file that "
                         "did not exist at configure time: run cmake again, or report it"},
    [SPEC_F_NOT_READ] = {"not-read", SPEC_ERROR,
                         "every owner of '{1}' is built, and none of their outputs read it",
                         "delete the override: it has no effect"},
    [SPEC_F_MODULE_ENCODING] = {"module-encoding", SPEC_WARNING, "this module is not UTF-8: {1}",
                                "save the file as UTF-8, and drop its coding line"},
    [SPEC_F_MODULE_SYNTAX] = {"module-syntax", SPEC_WARNING,
                              "this is no Python, so it cannot be imported: {1}",
                              "mend the line; what is no module needs another ending than '.py'"},
    [SPEC_F_HOOK_CALLED] = {"hook-called", SPEC_NOTE,
                            "the hook '{1}' is called at the end of '{2}', which does not call it "
                            "itself",
                            ""},
    [SPEC_F_HOOK_UNUSED] = {"hook-unused", SPEC_WARNING,
                            "nothing in the trunk or the overlay asks for the hook '{1}'",
                            "mend its name, or delete it; what other modules import is no hook: "
                            "begin its name with '_', or keep it in another file"},
    [SPEC_F_NO_CACHE_KEY] =
        {"no-cache-key", SPEC_WARNING,
         "neither '{1}' nor '{2}' defines triton_key(), so kernels compiled with and without this "
         "overlay share cache entries",
         "set TRITON_CACHE_DIR to a folder of this backend's own"},
    [SPEC_F_IMPORTS_TOOL] = {"imports-triton-spec", SPEC_ERROR,
                             "'{1}' imports triton_spec, which a baked package does without",
                             "import from triton._flagtree_spec, which every package has: "
                             "spec_call, spec_func, spec_has and spec_call_or"},
    [SPEC_F_MERGE_SYNTAX] = {"merge-syntax", SPEC_ERROR,
                             "this is no Python that can be merged: {1}",
                             "mend the line; 'python -m py_compile' shows it too"},
    [SPEC_F_MERGE_ENCODING] = {"merge-encoding", SPEC_ERROR,
                               "a module that is merged must be UTF-8: {1}",
                               "save the file as UTF-8, and drop its coding line"},
    [SPEC_F_MERGE_EMPTY] = {"merge-empty", SPEC_ERROR,
                            "'{1}' changes nothing: it holds no definition, and only imports that "
                            "the trunk has",
                            "delete it"},
    [SPEC_F_MERGE_AMBIGUOUS] =
        {"merge-ambiguous", SPEC_ERROR, "{2} defines '{1}' more than once: lines {3}",
         "only overloads and the accessors of a property are one definition; in the trunk's case "
         "override the whole module"},
    [SPEC_F_MERGE_REBOUND] =
        {"merge-rebound", SPEC_ERROR,
         "the trunk binds '{1}' again in line {3}, and evaluates it in line {2}, before that",
         "no place serves both: override the whole module"},
    [SPEC_F_MERGE_ORDER] = {"merge-order", SPEC_ERROR,
                            "'{1}' would have to come behind {2}, and before {3}",
                            "let one of them need less while the module is imported, by a lookup "
                            "inside of a function; "
                            "or override the whole module"},
    [SPEC_F_MERGE_FUTURE] =
        {"merge-future", SPEC_ERROR,
         "'from __future__ import {1}' would change the trunk's own code, which is without it",
         "write the definitions so that they do without"},
    [SPEC_F_MERGE_NO_CLASS] =
        {"merge-no-class", SPEC_ERROR,
         "'{1}' holds methods for a class of the trunk's, which has {2} of that name",
         "mend the name, or drop '# spec: methods' and write the whole class"},
    [SPEC_F_MERGE_HEAD] =
        {"merge-head", SPEC_ERROR,
         "the {2} of class '{1}' are not the trunk's, and '# spec: methods' leaves those as they "
         "are",
         "write 'class {1}:' alone, or the trunk's {2} word for word, or the whole class"},
    [SPEC_F_MERGE_INDENT] = {"merge-indent", SPEC_ERROR,
                             "the body of class '{1}' is indented by {2}, and the trunk's by {3}",
                             "indent it as the trunk does"},
    [SPEC_F_MERGE_MARK] =
        {"merge-mark", SPEC_ERROR, "'# spec: {1}' says nothing here",
         "'# spec: methods' belongs on the line of a class or before the first statement of its "
         "body, '# spec: undecorated' on the line of a definition that replaces a decorated one"},
    [SPEC_F_MERGE_SIGNATURE] = {"merge-signature", SPEC_ERROR,
                                "'{1}' no longer takes every call that the trunk's takes: {2}",
                                "keep the trunk's parameters, and give new ones a default"},
    [SPEC_F_MERGE_DECORATOR] =
        {"merge-decorator", SPEC_WARNING, "'{1}' has no decorator, and the trunk's has {2}",
         "repeat the trunk's decorators, or write '# spec: undecorated' on the line of the "
         "definition"},
    [SPEC_F_MERGE_REDUNDANT] = {"merge-redundant", SPEC_WARNING,
                                "'{1}' is the trunk's own definition, word for word", "delete it"},
    [SPEC_F_MERGE_ALL] = {"merge-all", SPEC_WARNING,
                          "the trunk's module has no '__all__': with this one, 'import *' of it "
                          "gives these names alone",
                          "drop '__all__' unless that is meant"},
    [SPEC_F_MERGE_STAR] =
        {"merge-star", SPEC_NOTE,
         "what 'import *' brings in is not looked at: it comes among the imports, "
         "so the trunk's later bindings win over it",
         ""},
    [SPEC_F_MERGE_BRANCH] = {"merge-branch", SPEC_NOTE,
                             "the trunk defines '{1}' inside of the statement in line {2}; the "
                             "vendor's comes behind that and wins on every branch",
                             ""},
};

/* Copies template into out, with {1}..{3} replaced. */
static void fill(spec_buf *out, const char *template, const char *const args[3]) {
  for (const char *p = template; *p != '\0'; p++) {
    if (p[0] == '{' && p[1] >= '1' && p[1] <= '3' && p[2] == '}') {
      const char *arg = args[p[1] - '1'];
      spec_buf_str(out, arg != NULL ? arg : "");
      p += 2;
    } else {
      spec_buf_char(out, *p);
    }
  }
}

static void emit(spec_reporter *to, spec_finding finding, spec_severity severity, const char *where,
                 const char *const args[3]) {
  to->said++;
  if (severity == SPEC_ERROR)
    to->errors++;
  if (to->on_event == NULL)
    return;
  spec_buf message = {0}, mend = {0};
  fill(&message, rows[finding].message, args);
  fill(&mend, rows[finding].mend, args);
  spec_event event = {severity, rows[finding].code, where != NULL ? where : "",
                      spec_buf_text(&message), spec_buf_text(&mend)};
  if (spec_buf_failed(&message) || spec_buf_failed(&mend))
    to->failed = true;
  else
    to->on_event(to->user, &event);
  spec_buf_dispose(&message);
  spec_buf_dispose(&mend);
}

void spec_report(spec_reporter *to, spec_finding finding, const char *where, const char *a,
                 const char *b, const char *c) {
  emit(to, finding, rows[finding].severity, where, (const char *const[3]){a, b, c});
}

void spec_report_soft(spec_reporter *to, spec_finding finding, const char *where, const char *a,
                      const char *b, const char *c) {
  spec_severity severity = rows[finding].severity;
  emit(to, finding, severity == SPEC_ERROR ? SPEC_WARNING : severity, where,
       (const char *const[3]){a, b, c});
}

int spec_reporter_result(const spec_reporter *from, spec_err *err) {
  if (from->failed)
    return spec_fail_memory(err);
  if (from->errors == 0)
    return SPEC_OK;
  return spec_fail(err, SPEC_EREFUSED, "the overlay is refused: %zu finding%s", from->errors,
                   from->errors == 1 ? "" : "s");
}

const spec_finding_row *spec_finding_describe(spec_finding finding) {
  return &rows[finding];
}

const char *spec_finding_code(spec_finding finding) {
  return rows[finding].code;
}
