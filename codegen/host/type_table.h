// The types that a program's entry points name: what they consist of, and the table that tells the runtime.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "codegen/host/c_writer.h"
#include "ir/host/host.h"

namespace heddle::codegen::host {

class TypeTable {
 public:
  // Refers to the program's definitions.
  explicit TypeTable(const heddle::host::Program& program);

  // As Futhark prints it.
  static std::string name(const seg::EntryType& type);
  int index(const seg::EntryType& type) const { return index_.at(name(type)); }
  // Of an array of several dimensions, Futhark names the type of a row where an element's is meant.
  std::string element(const std::string& elem) const;
  // The scalars and arrays that a value of the type consists of, in the order of parameters and results.
  std::vector<seg::ValueType> constituents(const seg::EntryType& type) const;

  struct Entry {
    std::string name;
    seg::EntryType type;
    const seg::OpaqueDef* def = nullptr;  // of opaque ones
  };
  const std::vector<Entry>& entries() const { return entries_; }
  int size() const { return static_cast<int>(entries_.size()); }
  std::string c_text() const;  // defines `types`

 private:
  void add_constituents(const seg::EntryType& type, size_t depth, std::vector<seg::ValueType>& out) const;
  std::string variants_text(CWriter& out, const std::string& prefix, const seg::OpaqueSum& sum) const;

  std::vector<Entry> entries_;  // sorted by name
  std::unordered_map<std::string, int> index_;
  std::unordered_map<std::string, const seg::OpaqueDef*> defs_;
};

}  // namespace heddle::codegen::host
