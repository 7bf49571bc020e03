// The parser of host text: one class, whose functions are the grammar's rules (reader.h).
#pragma once

#include "ir/host/host.h"
#include "ir/nest/reader_parser.h"

namespace heddle::host {

class Parser : nest::Parser {
 public:
  using nest::Parser::Parser;
  Program program();

 private:
  // ---- Tables (reader_tables.cpp). ----
  seg::OpaqueDef definition();
  seg::ValueType value_type();
  seg::EntryType entry_type();
  std::vector<seg::ValueType> value_types();
  std::vector<seg::RecordField> fields();
  TuningParam param();
  seg::SizeClassKind size_class();
  Failure failure();
  FamilyKernel family();
  Function entry();

  // ---- Statements (reader.cpp). ----
  Block block();
  void block_into(Block& b);  // what it binds stays in scope
  Stmt statement();
  Stmt read_element();
  Stmt alloc();
  Stmt slice();
  Stmt flat_slice();
  Stmt launch();
  Stmt choose();
  Way way();
  Record record();
  Stmt branch(bool has_cases);
  Stmt loop();
  template <class Node, class Last>
  Stmt view(Last last);  // name = name, and a last member

  // ---- Pieces. ----
  std::string text();
  int64_t number();
  std::vector<int> numbers();
  Binder binder();
  std::vector<Binder> binders();
  std::vector<Name> names_or_none();
  Value value();
  Name array();
  Name new_name() { return name(); }
  void bind_scalar(const Name& n, prim::Type type) { bind(n, {type, false}); }
  void bind_type(const Name& n, Type type) { bind(n, {type.elem, type.rank > 0}); }
  prim::Type elem_of(const Name& n) const { return scope_.at(n.tag).type; }
  template <class F>
  void list(std::string_view open, std::string_view close, F item);
};

}  // namespace heddle::host
