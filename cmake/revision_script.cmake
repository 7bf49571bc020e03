# Called by heddle_revision: writes OUT, which defines MACRO as a hash of the text of INPUTS.
set(hashes "")
foreach(input ${INPUTS})
  file(SHA256 ${input} hash)
  string(APPEND hashes ${hash})
endforeach()
string(SHA256 hash "${hashes}")
string(SUBSTRING ${hash} 0 16 revision)
file(WRITE ${OUT} "#define ${MACRO} \"${revision}\"\n")
