// A function's host code as a graph: parallel operations, host control, and the arrays that go between them.
//
//   let {ys_3 : [n_1]f32} = segmap(thread)(i_4 < n_1) { .. xs_2[i_4] .. }      input --xs_2--> ys_3 --ys_3--> loop zs_5
//   let {zs_5 : [n_1]f32} = loop {a_6 : *[n_1]f32} = {ys_3} for .. do { .. }      (within it: a_6 and what is done to it)
//
// Arrays are values in seg, and memory on the device: the graph knows which names are the same memory and what changes it, so
// that a plan can tell whether an element can still be found where it came from (computed_where_read.h).
#pragma once

#include <boost/graph/adjacency_list.hpp>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ir/seg/syntax.h"

namespace heddle::graph {

enum class NodeKind {
  Input,      // what exists before: parameters and constants
  Operation,  // a seg op or GPU body
  Move,       // what the host does with whole arrays: copies, views, updates
  Loop,
  Branch,
  Versions,  // of which each computes the same: <equiv>
  Output
};

struct Node {
  NodeKind kind = NodeKind::Move;
  const seg::Stm* stm = nullptr;      // of the program that the graph was made of; null for input and output
  std::optional<size_t> within = {};  // the loop or branch in which it stands
  size_t part = 0;                    // the number of the branch there
};

struct Edge {
  Name array;               // as the reader calls it
  bool overwrites = false;  // its memory is the reader's afterwards
};

using Arrays = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS, Node, Edge>;

class Graph {
 public:
  Graph(const seg::Stms& constants, const seg::FunDef& function);

  // Nodes in the order of the program's text, input first, output last; edges from who makes an array to who reads it.
  const Arrays& arrays() const { return arrays_; }

  // The same for all names of the same memory: views, what branches and loops hand on, what updates return.
  Name memory(const Name& array) const;
  // Whether anything in the function changes the array's memory after it has been made, as far as the graph knows: of arrays
  // that others have made since, it may be.
  bool is_overwritten(const Name& array) const {
    return !known_.contains(array) || overwritten_.contains(memory(array));
  }

 private:
  class Builder;
  Arrays arrays_;
  mutable std::unordered_map<Name, Name> same_;  // towards the representative
  std::unordered_set<Name> known_, overwritten_;
};

// The arrays that a host statement, apart from the statements within it, changes.
std::vector<Name> overwritten_by(const seg::Exp& e);

}  // namespace heddle::graph
