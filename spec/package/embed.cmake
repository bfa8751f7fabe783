# cmake -DOUT=<file.c> -DFILES=<file>;... -DSOURCES=<file>;... -P embed.cmake
# Writes a C file that holds the texts of FILES, found by name, and a digest over both lists: see
# embedded.h.

cmake_minimum_required(VERSION 3.24)
set(tables "")
set(rows "")
set(number 0)
set(digests "")
foreach(file IN LISTS FILES SOURCES)
  file(SHA256 ${file} digest)
  string(APPEND digests "${digest}")
endforeach()
string(SHA256 id "${digests}")

foreach(file IN LISTS FILES)
  file(READ ${file} bytes HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(REGEX REPLACE "((0x..,)(0x..,)(0x..,)(0x..,)(0x..,)(0x..,)(0x..,)(0x..,))" "\\1\n" bytes "${bytes}")
  get_filename_component(name ${file} NAME)
  string(APPEND tables "static const char text_${number}[] = {\n${bytes}0};\n")
  string(APPEND rows "    {\"${name}\", text_${number}},\n")
  math(EXPR number "${number} + 1")
endforeach()
file(WRITE ${OUT} "#include \"package/embedded.h\"

#include <string.h>

${tables}
static const struct {
  const char *name, *text;
} files[] = {
${rows}    {NULL, NULL},
};

const char spec_engine_id[] = \"${id}\";

const char *spec_embedded(const char *name) {
  for (size_t i = 0; files[i].name != NULL; i++)
    if (strcmp(files[i].name, name) == 0)
      return files[i].text;
  return NULL;
}
")
