set(HEDDLE_REVISION_SCRIPT ${CMAKE_CURRENT_LIST_DIR}/revision_script.cmake)

# heddle_revision(MACRO HEADER FILES...): makes HEADER in the build folder, which defines MACRO as a string that is another one
# whenever the text of one of FILES is. Who includes it links a target that has it among its sources, or embeds it.
function(heddle_revision macro header)
  set(out ${CMAKE_CURRENT_BINARY_DIR}/${header})
  set(inputs "")
  foreach(file ${ARGN})
    list(APPEND inputs ${CMAKE_CURRENT_SOURCE_DIR}/${file})
  endforeach()
  add_custom_command(
    OUTPUT ${out}
    COMMAND ${CMAKE_COMMAND} -DMACRO=${macro} -DOUT=${out} "-DINPUTS=${inputs}" -P ${HEDDLE_REVISION_SCRIPT}
    DEPENDS ${inputs} ${HEDDLE_REVISION_SCRIPT}
    VERBATIM)
endfunction()
