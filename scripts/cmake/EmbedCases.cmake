# Writes the C++ source of a function that returns case files: cmake -DFOLDER=FOLDER -DFUNCTION=NAME -DOUTPUT=x.cc -P EmbedCases.cmake,
# where FOLDER is what kit/cases/write_cases.py has written.
file(GLOB files ${FOLDER}/*.json)
list(SORT files)
# Compilers need not take a longer literal than this, and the digits of the cases need no escapes in a raw one. As literals of type
# std::string_view they carry their lengths; to count the characters in a constant expression takes more steps than clang allows.
set(most 60000)
set(table "")
set(source "// The files that kit/cases/write_cases.py writes, made by scripts/cmake/EmbedCases.cmake.\n#include \"generate/conformance_cases.h\"\n\n#include <string_view>\n
namespace supremum::cli {\nnamespace {\n\nusing namespace std::string_view_literals;\n")
file(WRITE ${OUTPUT}.new "${source}")
foreach(file IN LISTS files)
  cmake_path(GET file FILENAME name)
  cmake_path(GET file STEM stem)
  file(READ ${file} text)
  string(LENGTH "${text}" length)
  file(APPEND ${OUTPUT}.new "\nconstexpr std::string_view k_${stem}[] = {\n")
  set(at 0)
  while(at LESS length)
    string(SUBSTRING "${text}" ${at} ${most} part)
    file(APPEND ${OUTPUT}.new "R\"json(${part})json\"sv,\n")
    math(EXPR at "${at} + ${most}")
  endwhile()
  file(APPEND ${OUTPUT}.new "};\n")
  string(APPEND table "  add(\"${name}\", k_${stem});\n")
endforeach()
file(APPEND ${OUTPUT}.new "
}  // namespace

std::vector<CaseFile> ${FUNCTION}() {
  std::vector<CaseFile> files;
  const auto add = [&](const char* name, std::span<const std::string_view> parts) {
    CaseFile& file = files.emplace_back();
    file.name = name;
    for (const std::string_view part : parts) file.text += part;
  };
${table}  return files;
}

}  // namespace supremum::cli
")
file(RENAME ${OUTPUT}.new ${OUTPUT})
