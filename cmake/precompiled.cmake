# heddle_precompile(TARGET HEADER FOLDER [LIBRARY]): has the C++ targets of FOLDER and the folders below it begin with the
# precompiled HEADER, which TARGET is made to hold; those that link LIBRARY or another one of its package, where one is given,
# as HEADER needs. It saves a third of compiling and says nothing about what a file needs: files include what they use, and
# clang-tidy reads them without, though several at a time.
function(heddle_precompile target header folder)
  if(CMAKE_DISABLE_PRECOMPILE_HEADERS)
    return()
  endif()
  if(NOT TARGET ${target})
    # Not written anew, or all would be compiled anew whenever CMake runs.
    if(NOT EXISTS ${CMAKE_BINARY_DIR}/${target}.cpp)
      file(WRITE ${CMAKE_BINARY_DIR}/${target}.cpp "")
    endif()
    add_library(${target} STATIC ${CMAKE_BINARY_DIR}/${target}.cpp)
    target_precompile_headers(${target} PRIVATE ${header})
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
    target_link_libraries(${target} PRIVATE fmt::fmt ${ARGN})
  endif()
  string(REGEX REPLACE "::.*" "::" package "${ARGN}")
  get_directory_property(here DIRECTORY ${folder} BUILDSYSTEM_TARGETS)
  foreach(each ${here})
    get_target_property(type ${each} TYPE)
    get_target_property(sources ${each} SOURCES)
    get_target_property(libraries ${each} LINK_LIBRARIES)
    if(type MATCHES "STATIC_LIBRARY|EXECUTABLE" AND NOT "${sources}" MATCHES "\\.c(;|$)" AND "${libraries}" MATCHES "${package}"
       AND NOT each STREQUAL ${target})
      target_precompile_headers(${each} REUSE_FROM ${target})
    endif()
  endforeach()
  get_directory_property(below DIRECTORY ${folder} SUBDIRECTORIES)
  foreach(each ${below})
    heddle_precompile(${target} ${header} ${each} ${ARGN})
  endforeach()
endfunction()
