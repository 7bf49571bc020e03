set(HEDDLE_EMBED_SCRIPT ${CMAKE_CURRENT_LIST_DIR}/embed_script.cmake)

# heddle_embed(TARGET NAME FILES...): makes the concatenation of FILES available as `const std::string_view heddle::embedded::NAME`
# to targets that link TARGET (header: embedded_NAME.h), and as the file embedded_NAME.txt in the build folder. Lines that
# #include another file of ours (in quotes) are dropped: the order of FILES takes their place. The text is stored byte by byte,
# so no escaping can go wrong.
function(heddle_embed target name)
  set(out ${CMAKE_CURRENT_BINARY_DIR}/embedded_${name})
  set(inputs "")
  foreach(file ${ARGN})
    get_filename_component(file ${file} ABSOLUTE)
    list(APPEND inputs ${file})
  endforeach()
  add_custom_command(
    OUTPUT ${out}.cpp ${out}.h ${out}.txt
    COMMAND ${CMAKE_COMMAND} -DNAME=${name} -DOUT=${out} "-DINPUTS=${inputs}" -P ${HEDDLE_EMBED_SCRIPT}
    DEPENDS ${inputs} ${HEDDLE_EMBED_SCRIPT}
    VERBATIM)
  add_library(${target} STATIC ${out}.cpp ${out}.h)
  target_include_directories(${target} PUBLIC ${CMAKE_CURRENT_BINARY_DIR})
endfunction()
