// What is done to operands before the contraction: transposed, sliced, padded, unrolled into columns, flattened.
#pragma once

#include "tests/campaign/writer.h"

namespace heddle::campaign {

class Operands : protected Writer {
 protected:
  using Writer::Writer;

  // Adds the operand's parameter and what is done to it; the view is of the outcome.
  View prepared(const Operand& o);

 private:
  std::string literal_array(const std::vector<Access>& dims, size_t d, const std::string& type);
  void pad(View& v);
  Number longer_size(const Access& a);
  void concatenate(View& v, size_t d, const std::string& outside);
  void pad_by_tabulate(View& v, const std::string& outside);
  void im2col(View& v);
  void flatten_first(View& v);
};

}  // namespace heddle::campaign
