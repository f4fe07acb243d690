# supremum_embed(TARGET NAME FILE...): the texts of the files, one after the other, as supremum::cli::<NAME>, a string_view that
# cli/embedded.h declares.
function(supremum_embed target name)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/embedded/${name}.cc)
  list(JOIN ARGN "," files)
  set(script ${PROJECT_SOURCE_DIR}/scripts/cmake/EmbedTexts.cmake)
  add_custom_command(OUTPUT ${source}
    COMMAND ${CMAKE_COMMAND} -D NAME=${name} -D FILES=${files} -D OUTPUT=${source} -P ${script}
    DEPENDS ${ARGN} ${script} VERBATIM)
  target_sources(${target} PRIVATE ${source})
endfunction()
