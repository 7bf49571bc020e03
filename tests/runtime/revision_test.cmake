# Another text, another revision; the same text, the same one. SCRIPT is cmake/revision_script.cmake, FOLDER where to write.
function(revision_of out model)
  file(WRITE ${FOLDER}/model.h "enum { POINTS };\n")
  file(WRITE ${FOLDER}/model.c "${model}")
  execute_process(COMMAND ${CMAKE_COMMAND} -DMACRO=REVISION -DOUT=${FOLDER}/revision.h
    "-DINPUTS=${FOLDER}/model.h;${FOLDER}/model.c" -P ${SCRIPT} RESULT_VARIABLE status)
  file(READ ${FOLDER}/revision.h text)
  if(NOT status EQUAL 0 OR NOT text MATCHES "^#define REVISION \"[0-9a-f]+\"\n$")
    message(FATAL_ERROR "not what a revision looks like: ${text}")
  endif()
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

revision_of(first "double cost = 1\;\n")
revision_of(second "double cost = 2\;\n")
revision_of(again "double cost = 1\;\n")
if(first STREQUAL second OR NOT first STREQUAL again)
  message(FATAL_ERROR "the revisions are ${first}${second}${again}")
endif()
