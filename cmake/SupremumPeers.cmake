# The libraries of other systems, for the benchmarks and the runners of the conformance kit: SUPREMUM_EIGEN, SUPREMUM_ONEDNN and
# SUPREMUM_XNNPACK are what to link, and empty where a library was not found.
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
