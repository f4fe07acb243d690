# Cross-building for another processor with Debian's compiler, against packages that are extracted below build/; an emulator runs the
# programs. scripts/emulate.sh sets the three variables; the environment variable QEMU_CPU names the processor that is emulated.
#
#   SUPREMUM_TRIPLET    the compiler's GNU triplet, such as s390x-linux-gnu
#   SUPREMUM_SYSROOT    absolute path of the extracted packages
#   SUPREMUM_EMULATOR   such as qemu-arm-static
foreach(variable IN ITEMS SUPREMUM_TRIPLET SUPREMUM_SYSROOT SUPREMUM_EMULATOR)
  if(NOT DEFINED ${variable})
    message(FATAL_ERROR "cross-linux.cmake: ${variable} is not set; scripts/emulate.sh sets it")
  endif()
endforeach()
# The projects of try_compile read this file too, and have no cache of their own.
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES SUPREMUM_TRIPLET SUPREMUM_SYSROOT SUPREMUM_EMULATOR)

set(CMAKE_SYSTEM_NAME Linux)
string(REGEX MATCH "^[^-]+" CMAKE_SYSTEM_PROCESSOR ${SUPREMUM_TRIPLET})
set(CMAKE_C_COMPILER ${SUPREMUM_TRIPLET}-gcc)
set(CMAKE_CXX_COMPILER ${SUPREMUM_TRIPLET}-g++)
set(CMAKE_LIBRARY_ARCHITECTURE ${SUPREMUM_TRIPLET})
if(CMAKE_SYSTEM_PROCESSOR STREQUAL i686)
  set(CMAKE_LIBRARY_ARCHITECTURE i386-linux-gnu)
  # Debian's i386 has x87 alone, whose loads change signaling NaNs.
  set(CMAKE_C_FLAGS_INIT "-msse2 -mfpmath=sse")
  set(CMAKE_CXX_FLAGS_INIT "-msse2 -mfpmath=sse")
endif()
set(CMAKE_SYSROOT ${SUPREMUM_SYSROOT})
set(CMAKE_CROSSCOMPILING_EMULATOR ${SUPREMUM_EMULATOR} -L ${SUPREMUM_SYSROOT})
# The list of tests depends on the processor, so that programs are asked for it when they run.
set(CMAKE_GTEST_DISCOVER_TESTS_DISCOVERY_MODE PRE_TEST)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
