# What `cmake --install` puts where, and the Debian package of the same (`./dev package`). heddle has the runtime within it and
# looks for nothing beside itself, so that all of it may be moved.
include(GNUInstallDirs)

install(TARGETS heddle RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(PROGRAMS ${PROJECT_SOURCE_DIR}/frontend_bridge/futhark/plugin/futhark-heddle DESTINATION ${CMAKE_INSTALL_BINDIR})

# heddle_says(FILE FOLDER ARGUMENTS...): installs in FOLDER, as FILE, what heddle prints for ARGUMENTS.
set(heddle_said "")
function(heddle_says file folder)
  set(out ${CMAKE_BINARY_DIR}/said/${file})
  add_custom_command(OUTPUT ${out} COMMAND heddle ${ARGN} > ${out} DEPENDS heddle VERBATIM)
  install(FILES ${out} DESTINATION ${folder})
  set(heddle_said ${heddle_said} ${out} PARENT_SCOPE)
endfunction()
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/said/bash)
heddle_says(heddle.1 ${CMAKE_INSTALL_MANDIR}/man1 manual)
heddle_says(bash/heddle ${CMAKE_INSTALL_DATADIR}/bash-completion/completions completions bash)
heddle_says(_heddle ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions completions zsh)
heddle_says(heddle.fish ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d completions fish)
add_custom_target(heddle_said ALL DEPENDS ${heddle_said})

install(DIRECTORY examples/ DESTINATION ${CMAKE_INSTALL_DATADIR}/heddle/examples USE_SOURCE_PERMISSIONS
  FILES_MATCHING PATTERN *.fut PATTERN *.c PATTERN run)
install(FILES README.md cmake/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR})

# Debian's names of what programs are compiled with; what heddle itself is linked to dpkg-shlibdeps finds. Where Debian packages
# the right Futhark, the package wants that.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME heddle)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "heddle's maintainers <heddle@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "compiler of Futhark programs for NVIDIA GPUs")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "A middle-end and CUDA backend for Futhark ${HEDDLE_FUTHARK_VERSION}, which takes the place of
the futhark command. 'heddle doctor' says what it finds of all it needs, and
'heddle doctor --install-futhark' fetches Futhark where Debian does not
package it.")
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "gcc, libc6-dev")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
cmake_host_system_information(RESULT debian QUERY DISTRIB_VERSION_ID)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1~deb${debian})
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR})
execute_process(COMMAND bash -c "source '${HEDDLE_FUTHARK_INSTALL}' && is_packaged" RESULT_VARIABLE no_futhark)
if(no_futhark)
  set(CPACK_DEBIAN_PACKAGE_SUGGESTS futhark)
else()
  string(APPEND CPACK_DEBIAN_PACKAGE_DEPENDS ", futhark (>= ${HEDDLE_FUTHARK_VERSION}), futhark (<< ${HEDDLE_FUTHARK_VERSION}.)")
endif()
include(CPack)
