// Reads host programs from text: the exact inverse of printer.h.
//
//   program   = { definition } { param } { failure } { kernel } { family } [ constants ] { entry }
//   definition = "type" text "=" ( "opaque" values | "record" fields | "sum" values { text "(" { type "in" numbers , } ")" }
//                                | "array" number text values | "record_array" number text fields ) ";"
//   values    = "(" { value-type , } ")"             fields = "(" { text ":" type , } ")"
//   type      = value-type | text                     value-type = [ "unsigned" ] scalar { "[" "]" }
//   param     = "param" text "=" class [ text ] [ "default" number ] [ "path" "(" { [ "!" ] text , } ")" ] ";"
//   failure   = "failure" "(" { text | scalar , } ")" [ "at" text ] ";"
//   kernel    as in ir/nest/reader.h, like expr, name and scalar (a type there)
//   family    = "family" text text kernel "chosen" "(" { text "=" name , } ")" "sizes" names
//               { "function" text "{" { text "=" expr ";" } "}" }
//   constants = "constants" binders block
//   entry     = "entry" text "(" { [ "*" ] text ":" type , } ")" ":" "(" { [ "*" ] type , } ")" "takes" binders block
//   binders   = "(" { binder , } ")"                  binder = name ":" scalar { "[" "]" }
//   block     = "{" { statement } [ "yield" value { "," value } ";" ] "}"
//   value     = expr | name                           the latter is an array
//   statement = "let" name ":" scalar "=" expr ";"
//             | "measure" name "=" ( "size" number | "stride" number | "alignment" | "address" ) "of" name ";"
//             | "ask" name "=" question exprs ";"
//             | "param" name "=" text ";" | "most" name "=" class ";" | "compare" name "=" text "<=" expr ";"
//             | "read" name ":" scalar "=" element ";"
//             | "alloc" name ":" scalar { "[" expr "]" } [ "order" numbers ] [ "from" name ] [ "for" "host" ] ";"
//             | "free" name ";" | "share" name "=" name ";" | "deliver" name "=" name ";"
//             | "slice" name "=" name { "[" expr [ ":" expr ":" expr ] "]" } ";"
//             | "flat" name "=" name "[" expr "]" { "[" expr ":" expr "]" } ";"
//             | ( "rearrange" | "manifest" ) name "=" name numbers ";" | ( "broadcast" | "reshape" ) name "=" name exprs ";"
//             | "copy" name ":=" name ";" | "pack" name ":=" name exprs exprs exprs ";"
//             | "fill" name ":=" expr ";" | "iota" name ":=" expr "," expr ";" | "upload" name ":=" exprs ";"
//             | "write" element ":=" expr ";"
//             | "launch" number exprs names [ "beside" "next" ] ";" | "launch" "chosen" exprs names ";"
//             | "choose" "{" { way } "}" "else" block
//             | ( "if" expr block { "case" expr block } "else" block | "always" block ) giving
//             | "loop" "(" { binder "=" value , } ")" ( "for" name "<" expr | "while" name ) block giving
//             | "assert" expr "else" "failure" number exprs ";" | "check" expr "else" text ";" | "trace" text value ";"
//   giving    = [ "giving" ( binders | names ) ";" ]  names behind a loop
//   way       = "way" number "asks" block "if" expr "measures" block "shape" record "sizes" exprs "fixed" exprs "places" exprs
//               "runs" block                          all that the first two blocks bind is in scope up to the end
//   record    = text "(" { text "=" ( expr | "{" { expr , } "}" | "[" { record , } "]" ) , } ")"
//   text      = anything between backquotes           numbers, exprs, names: lists in parentheses
#pragma once

#include <string_view>

#include "ir/host/host.h"
#include "ir/support/error.h"

namespace heddle::host {

// Names must be bound before they are used, and expressions have types; all else is the verifier's. An error is one of input,
// with a place as that of nest::read.
Result<Program> read(std::string_view text, std::string_view file_name = "host");

}  // namespace heddle::host
