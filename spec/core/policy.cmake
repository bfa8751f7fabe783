# cmake -DOUT=<file.c> -DTABLE=<policy.ini> -P policy.cmake
# Writes the table as C: see policy.h.

cmake_minimum_required(VERSION 3.24)
file(STRINGS ${TABLE} lines REGEX "^[^;]") # no comments, whose ';' would part them
set(rows "")
set(section "")
foreach(line IN LISTS lines)
  if(line MATCHES "^\\[([a-z]+)\\]$")
    set(section ${CMAKE_MATCH_1})
  elseif(section STREQUAL "policy" AND line MATCHES "^([A-Za-z0-9_./-]+) = (whole|merge|closed)$")
    string(TOUPPER ${CMAKE_MATCH_2} policy)
    string(APPEND rows "    {\"${CMAKE_MATCH_1}\", SPEC_POLICY_${policy}},\n")
  else()
    message(FATAL_ERROR "${TABLE}: '${line}' is no line of a policy table: write '<path> = whole', "
      "'merge' or 'closed' below [policy]")
  endif()
endforeach()
file(WRITE ${OUT} "#include \"core/policy.h\"\n
const spec_policy_row spec_policy_table[] = {\n${rows}    {NULL, SPEC_POLICY_NONE},\n};\n")
