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
  set_target_properties(${target} PROPERTIES DISABLE_PRECOMPILE_HEADERS ON)
  target_include_directories(${target} PUBLIC ${CMAKE_CURRENT_BINARY_DIR})
  set_target_properties(${target} PROPERTIES HEDDLE_EMBEDDED_TEXT ${out}.txt)
endfunction()

# heddle_embed_object(TARGET NAME FILE DEPENDENCIES...): compiles the C file FILE, which may #include what targets DEPENDENCIES
# embed, and makes the object file's bytes available as heddle_embed does those of texts. Build types and sanitizers do not
# concern it: it becomes part of other programs.
function(heddle_embed_object target name file)
  set(out ${CMAKE_CURRENT_BINARY_DIR}/embedded_${name})
  set(texts "")
  foreach(dependency ${ARGN})
    get_target_property(text ${dependency} HEDDLE_EMBEDDED_TEXT)
    list(APPEND texts ${text})
  endforeach()
  add_custom_command(
    OUTPUT ${out}.o
    COMMAND ${CMAKE_C_COMPILER} -std=gnu11 -O2 -fPIE -ffunction-sections -fdata-sections
      -I${CMAKE_CURRENT_BINARY_DIR} -c ${CMAKE_CURRENT_SOURCE_DIR}/${file} -o ${out}.o
    DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${file} ${texts}
    VERBATIM)
  add_custom_command(
    OUTPUT ${out}.cpp ${out}.h
    COMMAND ${CMAKE_COMMAND} -DNAME=${name} -DOUT=${out} -DOBJECT=${out}.o -P ${HEDDLE_EMBED_SCRIPT}
    DEPENDS ${out}.o ${HEDDLE_EMBED_SCRIPT}
    VERBATIM)
  add_library(${target} STATIC ${out}.cpp ${out}.h)
  set_target_properties(${target} PROPERTIES DISABLE_PRECOMPILE_HEADERS ON)
  target_include_directories(${target} PUBLIC ${CMAKE_CURRENT_BINARY_DIR})
endfunction()
