# The libraries of other systems, for the benchmarks and the runners of the conformance kit: SUPREMUM_EIGEN, SUPREMUM_ONEDNN and
# SUPREMUM_XNNPACK are what to link, and empty where a library was not found. SUPREMUM_XNNPACK_DEFINITIONS says which functions
# XNNPACK has.
set(SUPREMUM_EIGEN "")
find_package(Eigen3 QUIET NO_MODULE)
if(Eigen3_FOUND)
  set(SUPREMUM_EIGEN Eigen3::Eigen)
endif()

# Debian's CMake package of oneDNN asks for OpenCL, which nothing here uses.
set(SUPREMUM_ONEDNN "")
find_path(ONEDNN_INCLUDE_DIR oneapi/dnnl/dnnl.hpp)
find_library(ONEDNN_LIBRARY dnnl)
if(ONEDNN_INCLUDE_DIR AND ONEDNN_LIBRARY)
  set(SUPREMUM_ONEDNN ${ONEDNN_LIBRARY})
endif()

set(SUPREMUM_XNNPACK "")
find_path(XNNPACK_INCLUDE_DIR xnnpack.h)
find_path(PTHREADPOOL_INCLUDE_DIR pthreadpool.h)
find_library(XNNPACK_LIBRARY XNNPACK)
find_library(PTHREADPOOL_LIBRARY pthreadpool)
if(XNNPACK_INCLUDE_DIR AND XNNPACK_LIBRARY AND PTHREADPOOL_INCLUDE_DIR AND PTHREADPOOL_LIBRARY)
  set(SUPREMUM_XNNPACK ${XNNPACK_LIBRARY} ${PTHREADPOOL_LIBRARY})
endif()

# Two interfaces to the maximum of two tensors are supported. Debian 12 has one function for each operator and type, which gets its shapes
# with the addresses. Debian 13 has one function for all operators and types.
set(SUPREMUM_XNNPACK_DEFINITIONS "")
if(SUPREMUM_XNNPACK)
  include(CheckCXXSymbolExists)
  set(CMAKE_REQUIRED_INCLUDES ${XNNPACK_INCLUDE_DIR} ${PTHREADPOOL_INCLUDE_DIR})
  set(CMAKE_REQUIRED_LIBRARIES ${SUPREMUM_XNNPACK})
  check_cxx_symbol_exists(xnn_setup_binary_elementwise_nd xnnpack.h SUPREMUM_XNNPACK_HAS_BINARY)
  check_cxx_symbol_exists(xnn_reshape_maximum_nd_f32 xnnpack.h SUPREMUM_XNNPACK_HAS_RESHAPE)
  unset(CMAKE_REQUIRED_INCLUDES)
  unset(CMAKE_REQUIRED_LIBRARIES)
  if(SUPREMUM_XNNPACK_HAS_BINARY)
    set(SUPREMUM_XNNPACK_DEFINITIONS SUPREMUM_XNNPACK_BINARY)
  elseif(SUPREMUM_XNNPACK_HAS_RESHAPE)
    message(STATUS "XNNPACK: this version's interface (xnn_reshape_maximum_nd_f32) is not supported: left out")
    set(SUPREMUM_XNNPACK "")
  endif()
endif()
