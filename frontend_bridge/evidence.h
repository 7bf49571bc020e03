// What is left behind for whoever mends a broken pass.
#pragma once

#include <string>
#include <vector>

namespace heddle {

struct NamedText {
  std::string name;  // of the file
  std::string text;
};

// Writes the files into a new folder in $TMPDIR or /tmp, which stays. Yields a sentence that names them and asks for
// them, or says why they could not be written.
std::string keep_evidence(const std::vector<NamedText>& files);

}  // namespace heddle
