# One function a kind of target: supremum_library, supremum_program, supremum_test.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

if(PROJECT_IS_TOP_LEVEL)
  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
  set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
  set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
  if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release)
  endif()
  find_program(CCACHE_PROGRAM ccache)
  if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    # The two checks that ccache gives up here are those that keep it from caching what uses a precompiled header.
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros,locale ${CCACHE_PROGRAM})
  endif()
endif()

# In a project that sets neither a build type nor -O, the libraries are still optimised: unoptimised kernels are 20 to 40 times slower.
set(supremum_optimisation "")
get_property(supremum_multi_config GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
if(NOT CMAKE_BUILD_TYPE AND NOT supremum_multi_config AND NOT CMAKE_CXX_FLAGS MATCHES "(^| )-O")
  separate_arguments(supremum_optimisation NATIVE_COMMAND "${CMAKE_CXX_FLAGS_RELEASE}")
endif()

# Warnings are errors where the project is worked on: in the presets for that, and where scripts/check.sh says so by the environment.
# Another compiler's new warning must not keep a user from building.
set(supremum_werror_default OFF)
if("$ENV{SUPREMUM_WERROR}" STREQUAL ON)
  set(supremum_werror_default ON)
endif()
option(SUPREMUM_WERROR "Treat warnings as errors" ${supremum_werror_default})

# Most of the time to compile what does not go over elements is for the same headers and templates again.
option(SUPREMUM_JOIN_SOURCES "Compile six sources of a target at once, in half of the time; after a change in one, all six" OFF)

# supremum_join_sources(TARGET): for all but programs whose instructions are counted, and the libraries of the kernels, whose machine
# code is proved.
function(supremum_join_sources target)
  if(SUPREMUM_JOIN_SOURCES)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 6)
  endif()
endfunction()

function(supremum_set_options target)
  target_compile_options(${target} PRIVATE ${supremum_optimisation} -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion
                                           -Wold-style-cast -Wnon-virtual-dtor)
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # GCC 12 sees overlaps in std::string's operator+ that cannot happen (GCC bug 105651, mended in 13).
    target_compile_options(${target} PRIVATE -Wno-restrict)
  endif()
  if(SUPREMUM_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND NOT target STREQUAL supremum)
    # GCC collects garbage from 128 MiB on, a tenth of its time. Most sources take 400 MB until the end. Kernels take a gigabyte, and
    # gain nothing.
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:SHELL:--param ggc-min-heapsize=450000>)
  endif()
  if(SUPREMUM_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${SUPREMUM_SANITIZE} -fno-sanitize-recover=all
                                             -fno-omit-frame-pointer)
    target_compile_definitions(${target} PRIVATE _GLIBCXX_ASSERTIONS)  # an index beyond a span or vector, even where memory is behind it
    target_link_options(${target} PUBLIC -fsanitize=${SUPREMUM_SANITIZE})
    if(SUPREMUM_SANITIZE MATCHES undefined AND SUPREMUM_SANITIZE MATCHES address AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
      # An instruction ends the program, and the address sanitizer prints its place in the source. Descriptions of the checks would be
      # 68 of the command's 69 MB of data, which the address sanitizer prepares at each start. Types of objects (vptr) cannot be checked
      # in this way; the fuzzers check them.
      target_compile_options(${target} PRIVATE -fsanitize-undefined-trap-on-error)
    endif()
  endif()
endfunction()

set(supremum_of_kernels supremum supremum_c)

# supremum_library(NAME [SHARED|MODULE] SOURCE...): lib<NAME>, static if nothing is said. Sources are relative to src/.
function(supremum_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "SHARED;MODULE" "" "")
  set(kind STATIC)
  if(arg_SHARED)
    set(kind SHARED)
  elseif(arg_MODULE)
    set(kind MODULE)
  endif()
  add_library(${name} ${kind} ${arg_UNPARSED_ARGUMENTS})
  target_include_directories(${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_compile_features(${name} PUBLIC cxx_std_20)
  supremum_set_options(${name})
  if(NOT name IN_LIST supremum_of_kernels)
    supremum_join_sources(${name})
  endif()
  if(SUPREMUM_SANITIZE AND NOT name STREQUAL supremum)
    # Loops over elements are in the library `supremum`; the rest compiles in half of the time without optimisation.
    target_compile_options(${name} PRIVATE -O0)
  endif()
endfunction()

# supremum_program(NAME SOURCE...)
function(supremum_program name)
  add_executable(${name} ${ARGN})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  supremum_set_options(${name})
  if(SUPREMUM_SANITIZE)
    # The sanitizers watch programs just as well unoptimised, and that halves the time to compile them.
    target_compile_options(${name} PRIVATE -O0)
    # At a fixed address: the loader would relocate two million pointers of the sanitizers, 40 ms of each start.
    target_link_options(${name} PRIVATE -no-pie)
    set(options ${PROJECT_SOURCE_DIR}/scripts/cmake/sanitizer_options.cc)
    target_sources(${name} PRIVATE ${options})
    set_source_files_properties(${options} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON)
  endif()
endfunction()

# supremum_precompile(TARGET HEADER...): large headers that most of its sources include.
# supremum_precompile(TARGET REUSE_FROM OTHER): those of a target that is compiled with the same options.
function(supremum_precompile name)
  if(ARGV1 STREQUAL REUSE_FROM)
    target_precompile_headers(${name} ${ARGN})
  else()
    target_precompile_headers(${name} PRIVATE ${ARGN})
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    target_compile_options(${name} PRIVATE -fpch-preprocess)  # for ccache
  else()
    target_compile_options(${name} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")  # the same for clang
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # The same bug: its other warnings are seen too, since what comes from a precompiled header does not count as the system's.
    target_compile_options(${name} PRIVATE -Wno-stringop-overflow -Wno-array-bounds)
  endif()
endfunction()

# supremum_launcher(VARIABLE PROGRAM FOLDER): the file that scripts and other programs start to run a program of the build. It is the program
# or, for an emulated processor, a script of that name in the folder, which starts the emulator.
function(supremum_launcher variable program folder)
  set(launcher $<TARGET_FILE:${program}>)
  if(CMAKE_CROSSCOMPILING_EMULATOR)
    list(JOIN CMAKE_CROSSCOMPILING_EMULATOR "' '" emulator)
    set(launcher ${folder}/$<TARGET_FILE_NAME:${program}>)
    file(GENERATE OUTPUT ${launcher} CONTENT "#!/bin/sh\nexec '${emulator}' '$<TARGET_FILE:${program}>' \"$@\"\n"
      FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  endif()
  set(${variable} ${launcher} PARENT_SCOPE)
endfunction()

# supremum_test_program(NAME LEVEL STARTS_COMMANDS SOURCE...): a program that uses GoogleTest, optimised as LEVEL says.
function(supremum_test_program name level starts_commands)
  supremum_program(${name} ${ARGN})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_compile_options(${name} PRIVATE ${level})
  if(starts_commands AND SUPREMUM_SANITIZE)
    target_compile_options(${name} PRIVATE -fno-sanitize=all)
    target_compile_definitions(${name} PRIVATE SUPREMUM_SANITIZED)  # the commands are
  endif()
  target_link_libraries(${name} PRIVATE GTest::gmock)
endfunction()

# supremum_test_precompile(NAME LEVEL STARTS_COMMANDS MODELS): the large headers of tests, compiled once for all programs with the same
# options; with MODELS, also those of models.
function(supremum_test_precompile name level starts_commands models)
  set(common supremum_test_headers${level})
  set(headers <gmock/gmock.h> <gtest/gtest.h> <filesystem> <string> <vector>)
  if(starts_commands AND SUPREMUM_SANITIZE)
    string(APPEND common -commands)
  endif()
  if(models)
    string(APPEND common -models)
    list(APPEND headers <onnx/onnx_pb.h> <nlohmann/json.hpp>)
  endif()
  if(NOT TARGET ${common})
    set(source ${PROJECT_BINARY_DIR}/${common}.cc)
    file(CONFIGURE OUTPUT ${source} CONTENT "int main() {}\n")
    supremum_test_program(${common} "${level}" "${starts_commands}" ${source})
    if(models)
      target_link_libraries(${common} PRIVATE ${SUPREMUM_ONNX_LIBRARIES})
    endif()
    supremum_precompile(${common} ${headers})
  endif()
  supremum_precompile(${name} REUSE_FROM ${common})
endfunction()

# supremum_test(NAME LIBRARIES lib... SOURCES source... [MODELS] [LABELS large] [EXHAUSTIVE filter] [SHARDS n] [OPTIMISED]
# [STARTS_COMMANDS [ENDS_COMMANDS]]): a GoogleTest program. CTest runs it in n parts (1 if not said), side by side: a process for each
# test would take most of the time for starting. The names and results of the tests are in junit/ of the build folder, an XML file a part
# (tests/project/test_report.py). Tests that match the filter of EXHAUSTIVE are an entry of their own, with the label `exhaustive`.
# MODELS is for tests that include the large headers of models. OPTIMISED is for tests that compute much themselves, by the reference.
# STARTS_COMMANDS is for tests of the commands: the sanitizers watch the commands, and not the tests, which make large files for them.
# ENDS_COMMANDS is for tests of thousands of short commands: CTest runs them without the search for memory that was not given back, which
# takes half of the time of such a command (scripts/check.sh full runs them with it).
function(supremum_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "OPTIMISED;STARTS_COMMANDS;ENDS_COMMANDS;MODELS" "EXHAUSTIVE;SHARDS" "LIBRARIES;SOURCES;LABELS")
  # The tested code is optimised; optimising the tests themselves is slower than running them.
  set(level -O0)
  if(arg_EXHAUSTIVE)
    set(level -O2)
  elseif(arg_OPTIMISED)
    set(level -O1)
  elseif(arg_LABELS STREQUAL large)
    set(level "")
  endif()
  supremum_test_program(${name} "${level}" "${arg_STARTS_COMMANDS}" ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES} GTest::gtest_main)
  supremum_join_sources(${name})
  list(LENGTH arg_SOURCES source_count)
  if(source_count GREATER 3)
    supremum_test_precompile(${name} "${level}" "${arg_STARTS_COMMANDS}" "${arg_MODELS}")
  endif()
  if(arg_EXHAUSTIVE)
    supremum_test_part(${name} ${name}.exhaustive "--gtest_filter=${arg_EXHAUSTIVE}" "")
    set_tests_properties(${name}.exhaustive PROPERTIES LABELS exhaustive TIMEOUT 14400)
  endif()
  set(leaks "")
  if(arg_ENDS_COMMANDS)
    set(leaks "detect_leaks=0")
  endif()
  if(NOT arg_SHARDS)
    set(arg_SHARDS 1)
  endif()
  math(EXPR last "${arg_SHARDS} - 1")
  foreach(index RANGE ${last})
    set(part ${name})
    if(arg_SHARDS GREATER 1)
      math(EXPR number "${index} + 1")
      set(part ${name}.${number}_of_${arg_SHARDS})
    endif()
    set(filter "")
    if(arg_EXHAUSTIVE)
      set(filter "--gtest_filter=-${arg_EXHAUSTIVE}")
    endif()
    supremum_test_part(${name} ${part} "${filter}" "GTEST_TOTAL_SHARDS=${arg_SHARDS};GTEST_SHARD_INDEX=${index}" "${leaks}")
    set_tests_properties(${part} PROPERTIES LABELS "${arg_LABELS}" COST ${arg_SHARDS})
  endforeach()
endfunction()

# supremum_test_part(PROGRAM NAME FILTER ENVIRONMENT [ASAN_OPTIONS]): one run of a GoogleTest program.
function(supremum_test_part program name filter environment)
  add_test(NAME ${name} COMMAND ${program} --gtest_brief=1 --gtest_output=xml:${PROJECT_BINARY_DIR}/junit/${name}.xml ${filter})
  list(APPEND environment ASAN_OPTIONS=${ARGN}
              TSAN_OPTIONS=allocator_may_return_null=1:suppressions=${PROJECT_SOURCE_DIR}/tests/support/tsan.supp)
  set_tests_properties(${name} PROPERTIES TIMEOUT 1800 ENVIRONMENT "${environment}")
endfunction()
