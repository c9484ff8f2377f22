# The page of the HTML report as a string of C, style and scripts put in where it names them: cmake -DFROM=DIR -DTO=FILE -P page.cmake
# All of it in hexadecimal: no character of a page means anything to CMake then.
file(READ ${FROM}/page.html page HEX)
foreach(part style.css timeline.js page.js)
  file(READ ${FROM}/${part} text HEX)
  string(HEX "{{${part}}}" mark)
  string(REPLACE "${mark}" "${text}" page "${page}")
endforeach()
string(REGEX REPLACE "(..)" "0x\\1," bytes "${page}")
file(WRITE ${TO} "/* Made of ${FROM} by cmake/page.cmake. */\n#include \"report/page.h\"\n\n"
  "const char rcp_report_page[] = {${bytes}0};\n")
