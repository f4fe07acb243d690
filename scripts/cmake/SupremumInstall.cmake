# Places of installed files below any prefix, which may be moved afterwards. debian/ makes packages of them.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(supremum_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/supremum)

# supremum_install_library(TARGET NAME [COMPONENT]): as supremum::<NAME>, which the package finds alone if only it is asked for.
function(supremum_install_library target name)
  if(NOT TARGET ${target})
    return()
  endif()
  set(component Unspecified)
  if(ARGC GREATER 2)
    set(component ${ARGV2})
  endif()
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  install(TARGETS ${target} EXPORT supremum_${name}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${component}
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${component}
    INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(EXPORT supremum_${name} NAMESPACE supremum:: FILE supremum-${name}.cmake DESTINATION ${supremum_package_dir}
    COMPONENT ${component})
endfunction()

supremum_install_library(supremum supremum)
supremum_install_library(supremum_c c)
supremum_install_library(supremum_c_models c_models)
supremum_install_library(supremum_graph graph)
supremum_install_library(supremum_json json)
supremum_install_library(supremum_io io)
supremum_install_library(supremum_onnx onnx)
supremum_install_library(supremum_onednn onednn)
# A component of its own, for those who have MPI.
supremum_install_library(supremum_mpi mpi mpi)

file(GLOB public_headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/supremum/*.h)
foreach(needs IN ITEMS supremum_c:c_api.h supremum_c_models:c_models.h supremum_onnx:annotate.h supremum_onnx:check.h supremum_onnx:extract.h supremum_onnx:model.h supremum_onnx:static_graph.h supremum_onednn:onednn_graph.h)
  string(REPLACE ":" ";" needs ${needs})
  list(GET needs 0 target)
  list(GET needs 1 header)
  if(NOT TARGET ${target})
    list(REMOVE_ITEM public_headers ${PROJECT_SOURCE_DIR}/include/supremum/${header})
  endif()
endforeach()
set(mpi_headers ${PROJECT_SOURCE_DIR}/include/supremum/mpi.h ${PROJECT_SOURCE_DIR}/include/supremum/mpi_c.h)
list(REMOVE_ITEM public_headers ${mpi_headers})
if(TARGET supremum_mpi)
  install(FILES ${mpi_headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/supremum COMPONENT mpi)
  install(TARGETS supremum_mpi_preload LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT mpi)
endif()

# Likewise, for those who have ONNX Runtime.
list(REMOVE_ITEM public_headers ${PROJECT_SOURCE_DIR}/include/supremum/onnxruntime.h)
if(TARGET supremum_ort)
  install(TARGETS supremum_ort LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT onnxruntime)
  install(FILES ${PROJECT_SOURCE_DIR}/include/supremum/onnxruntime.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/supremum COMPONENT onnxruntime)
endif()

install(FILES ${public_headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/supremum)

set(SUPREMUM_NEEDS hwy)
if(SUPREMUM_WITH_TBB)
  list(APPEND SUPREMUM_NEEDS TBB)
endif()
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/supremumConfig.cmake.in ${PROJECT_BINARY_DIR}/supremumConfig.cmake
  INSTALL_DESTINATION ${supremum_package_dir})
# Until 1.0 a minor release may change the C++ interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/supremumConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/supremumConfig.cmake ${PROJECT_BINARY_DIR}/supremumConfigVersion.cmake
  DESTINATION ${supremum_package_dir})

# For pkg-config, supremum.pc is the C interface, supremum-onnx.pc that of models, and supremum-cxx.pc the static library of C++.
file(RELATIVE_PATH SUPREMUM_PC_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" SUPREMUM_PC_PREFIX ${SUPREMUM_PC_PREFIX})
set(SUPREMUM_PC_REQUIRES libhwy)
if(SUPREMUM_WITH_TBB)
  string(APPEND SUPREMUM_PC_REQUIRES ", tbb")
endif()
set(pc_files supremum-cxx.pc)
if(TARGET supremum_c)
  list(APPEND pc_files supremum.pc)
endif()
if(TARGET supremum_c_models)
  list(APPEND pc_files supremum-onnx.pc)
endif()
foreach(pc IN LISTS pc_files)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/${pc}.in ${PROJECT_BINARY_DIR}/${pc} @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${pc} DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

if(TARGET supremum_command)
  install(TARGETS supremum_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(FILES ${PROJECT_SOURCE_DIR}/tools/supremum/completions/supremum.bash
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME supremum)
  # The manual page is the command's own help, set for man.
  find_program(SUPREMUM_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH)
  if(SUPREMUM_PYTHON)
    set(man_page ${PROJECT_BINARY_DIR}/supremum.1)
    add_custom_command(OUTPUT ${man_page}
      COMMAND ${SUPREMUM_PYTHON} ${PROJECT_SOURCE_DIR}/scripts/cmake/man_page.py $<TARGET_FILE:supremum_command> ${man_page}
      DEPENDS supremum_command ${PROJECT_SOURCE_DIR}/scripts/cmake/man_page.py VERBATIM)
    add_custom_target(supremum_man_page ALL DEPENDS ${man_page})
    install(FILES ${man_page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  else()
    message(STATUS "The manual page is not made: there is no python3")
  endif()
endif()
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
