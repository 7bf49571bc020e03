# Called by heddle_embed: writes OUT.txt, OUT.h and OUT.cpp for the concatenation of INPUTS; by heddle_embed_object: writes
# OUT.h and OUT.cpp for the bytes of OBJECT.
if(OBJECT)
  set(content ${OBJECT})
else()
  set(text "")
  foreach(input ${INPUTS})
    file(READ ${input} part)
    string(REGEX REPLACE "(^|\n)#include \"[^\n]*" "\\1" part "${part}")
    string(APPEND text "${part}")
  endforeach()
  set(content ${OUT}.txt)
  file(WRITE ${content} "${text}")
endif()
file(READ ${content} hex HEX)
string(LENGTH "${hex}" length)
math(EXPR length "${length} / 2")
string(REGEX REPLACE "(..)" "0x\\1," bytes "${hex}")
file(WRITE ${OUT}.h "#pragma once
#include <string_view>
namespace heddle::embedded {
extern const std::string_view ${NAME};
}
")
file(WRITE ${OUT}.cpp "#include \"embedded_${NAME}.h\"
namespace {
const unsigned char bytes[] = {${bytes}0};
}
namespace heddle::embedded {
const std::string_view ${NAME}(reinterpret_cast<const char*>(bytes), ${length});
}
")
