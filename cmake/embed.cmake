# heddle_embed(TARGET NAME FILES...): makes the concatenation of FILES available as `const std::string_view heddle::embedded::NAME`
# to targets that link TARGET (header: embedded_NAME.h). The text is stored byte by byte, so no escaping can go wrong.
function(heddle_embed target name)
  set(out ${CMAKE_CURRENT_BINARY_DIR}/embedded_${name})
  set(inputs "")
  foreach(file ${ARGN})
    list(APPEND inputs ${CMAKE_CURRENT_SOURCE_DIR}/${file})
  endforeach()
  add_custom_command(
    OUTPUT ${out}.cpp ${out}.h
    COMMAND ${CMAKE_COMMAND} -DNAME=${name} -DOUT=${out} "-DINPUTS=${inputs}" -P ${CMAKE_SOURCE_DIR}/cmake/embed_script.cmake
    DEPENDS ${inputs} ${CMAKE_SOURCE_DIR}/cmake/embed_script.cmake
    VERBATIM)
  add_library(${target} STATIC ${out}.cpp ${out}.h)
  target_include_directories(${target} PUBLIC ${CMAKE_CURRENT_BINARY_DIR})
endfunction()
