# SUPREMUM_TARGETS: for which instruction sets the kernels are compiled, the portable ones being always there.
#
#   all        every one that the project's tests run on (src/kernels/simd_targets.h); the processor chooses when a program runs
#   native     the fastest of them on this processor: to work on kernels, where compiling all takes minutes
#   portable   none: small and quickly compiled
set(SUPREMUM_TARGETS all CACHE STRING "Instruction sets to compile kernels for: all, native or portable")
set_property(CACHE SUPREMUM_TARGETS PROPERTY STRINGS all native portable)

# supremum_choose_kernels(TARGET): the choice, as Highway takes it.
function(supremum_choose_kernels target)
  if(SUPREMUM_TARGETS STREQUAL all)
    return()
  elseif(SUPREMUM_TARGETS STREQUAL portable)
    set(best 0)
  elseif(SUPREMUM_TARGETS STREQUAL native AND NOT CMAKE_CROSSCOMPILING)
    if(NOT DEFINED SUPREMUM_NATIVE_TARGET)
      try_run(ran compiled ${CMAKE_BINARY_DIR}/native_target ${PROJECT_SOURCE_DIR}/cmake/native_target.cc
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
