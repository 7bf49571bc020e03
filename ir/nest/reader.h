// Reads kernels from text: the exact inverse of printer.h.
//
//   file      = { kernel }
//   kernel    = "kernel" identifier "(" [ parameter { "," parameter } ] ")"
//               [ "address_scalars" "(" name { "," name } ")" ] [ "launch" "(" expr "threads" "," expr "registers" ")" ]
//               [ "keeps_loops" ] block
//   parameter = name ":" "constant" | name ":" type | buffer               in this order; buffers are global
//   buffer    = name ":" space [ "exchanged" ] [ "read_once" ] type { "[" expr "]" } [ "strides" "(" expr { "," expr } ")" ]
//               dense where no strides are given
//   block     = "{" { statement } "}"
//   statement = "let" name ":" type "=" expr ";"
//             | "alloc" buffer ";"
//             | element ":=" expr ";"
//             | "for" name "in" expr "(" role ")" block
//             | "while" expr ["rest" number] block
//             | "if" expr block [ "else" block ]
//             | "atomic" element "as" name [ block ] ":=" expr ";"
//             | "locked" element block
//             | "copy" [ "kept" ] expr "elements" element ":=" element "if" expr ";"
//             | "commit" "copies" ";"
//             | "wait" "for" "copies" "but" expr ";"
//             | "barrier" [ "(" "warp" ")" ] ";"
//             | "shuffle" name ":" type "=" expr "of" "lane" expr ";"
//             | "fail" number arguments ";"
//   element   = name "[" "]" | name { "[" expr "]" }
//   expr      = binary [ "?" binary ":" expr ]
//   binary    = operands and infix operators; from the least to the most tightly binding: || , && , == , < <= ,
//               & | ^ << >> , + +% - -% , * *% / % . Comparisons and operators on bits do not chain.
//   operand   = "-" operand | "!" operand | "(" expr ")" | constant | name | element
//             | "min" arguments | "max" arguments | "ceil" "(" binary "/" operand ")" | function arguments
//   arguments = "(" [ expr { "," expr } ] ")"
//   constant  = 12 (i64), 12i32, 0.5f32, f64.nan, true, () and so on, as prim::to_text writes them
//   name      = base_tag: letters, digits, _ and ', then _ and the tag in decimal; any other base stands between
//               backquotes, as in `+`_12 or `two words`_3, in which \` \\ and \x0a are escapes
//
// An operator's type is that of its operands. + - * are those on integers that promise not to overflow, +% -% *% those
// that wrap around, / % < <= min max are the signed ones, and on floats each is the float's. ceil(a / b) divides and
// rounds up. All other operators, and the builtin functions, are called by the names that ir/prim gives them:
// ult64(a, b), sext_i32_i64(x), sqrt32(x). From -- on, the rest of a line is a comment.
#pragma once

#include <string_view>
#include <vector>

#include "ir/nest/nest.h"
#include "ir/support/error.h"

namespace heddle::nest {

// Names must be bound before they are used, and operands have the types that their operator takes; all else is the
// verifier's. Expressions are made by the functions of nest.h, so that x + 0 is read as x. No text makes these throw or
// overflow the stack. An error is one of input; its message is "file:line:column: what", with the column in characters,
// and below it the offending line and a caret.
Result<std::vector<Kernel>> read(std::string_view text, std::string_view file_name = "nest");
Result<Kernel> read_kernel(std::string_view text, std::string_view file_name = "nest");  // exactly one

}  // namespace heddle::nest
