# SUPREMUM_TARGETS selects the instruction sets for which kernels are compiled. The portable ones are always compiled.
#
#   all        every one that the project's tests run on (src/kernels/simd_targets.h); the processor chooses when a program runs
#   native     the fastest of them on this processor: to work on kernels, where compiling all takes minutes
#   portable   none: small and quickly compiled
set(SUPREMUM_TARGETS all CACHE STRING "Instruction sets to compile kernels for: all, native or portable")
set_property(CACHE SUPREMUM_TARGETS PROPERTY STRINGS all native portable)

include(CheckCXXSourceCompiles)

# supremum_choose_kernels(TARGET): the choice, as Highway takes it.
function(supremum_choose_kernels target)
  if(SUPREMUM_TARGETS STREQUAL all)
    return()
  elseif(SUPREMUM_TARGETS STREQUAL portable)
    set(best 0)
  elseif(SUPREMUM_TARGETS STREQUAL native AND NOT CMAKE_CROSSCOMPILING)
    if(NOT DEFINED SUPREMUM_NATIVE_TARGET)
      try_run(ran compiled ${CMAKE_BINARY_DIR}/native_target ${PROJECT_SOURCE_DIR}/scripts/cmake/native_target.cc
        CMAKE_FLAGS -DINCLUDE_DIRECTORIES=${PROJECT_SOURCE_DIR}/src LINK_LIBRARIES hwy::hwy
        CXX_STANDARD 20 CXX_STANDARD_REQUIRED ON COMPILE_OUTPUT_VARIABLE output RUN_OUTPUT_VARIABLE best)
      if(NOT compiled OR NOT ran EQUAL 0)
        message(FATAL_ERROR "SUPREMUM_TARGETS=native: this processor's instruction set could not be found out\n${output}")
      endif()
      set(SUPREMUM_NATIVE_TARGET ${best} CACHE INTERNAL "Highway's number of this processor's best instruction set")
    endif()
    set(best ${SUPREMUM_NATIVE_TARGET})
  else()
    message(FATAL_ERROR "SUPREMUM_TARGETS is '${SUPREMUM_TARGETS}'; choose all, portable or, where programs run that are built, native")
  endif()
  target_compile_definitions(${target} PRIVATE "HWY_DISABLED_TARGETS=(~(${best}LL|HWY_SCALAR|HWY_EMU128))")
endfunction()

# supremum_add_kernels(TARGET ARCHITECTURE HIGHWAY_TARGET VARIABLE SOURCE OPTION...): kernels of an instruction set for which GCC needs
# options for the whole file. If GCC and Highway support it, the library gets the source and the definition of the variable, which is set
# to TRUE here too.
function(supremum_add_kernels target architecture highway_target variable source)
  if(SUPREMUM_TARGETS STREQUAL portable OR NOT CMAKE_SYSTEM_PROCESSOR STREQUAL architecture OR NOT CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    return()
  endif()
  list(JOIN ARGN " " CMAKE_REQUIRED_FLAGS)
  set(CMAKE_REQUIRED_LIBRARIES hwy::hwy)
  check_cxx_source_compiles("
#define HWY_BASELINE_TARGETS ${highway_target}
#define HWY_COMPILE_ONLY_STATIC
#include <hwy/highway.h>
#if defined(__riscv) && !__has_include(<sys/hwprobe.h>)
#error the system cannot say which vectors a process may use
#endif
static_assert(HWY_TARGET == ${highway_target});
int main() { return 0; }" ${variable}_SUPPORTED)
  if(NOT ${variable}_SUPPORTED)
    message(STATUS "${source} is left out: this version of GCC, Highway or the C library does not support it")
    return()
  endif()
  set(${variable} TRUE PARENT_SCOPE)
  target_sources(${target} PRIVATE ${source})
  target_compile_definitions(${target} PRIVATE ${variable}=1)
  # SUPREMUM_TARGETS=native disables all but one of the instruction sets of simd_targets.h, among which this one is not.
  set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS "${ARGN};-UHWY_DISABLED_TARGETS")
endfunction()
