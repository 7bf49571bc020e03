// How the work of segments is divided among threads: what by_threads.h makes reductions, scans and histograms of.
#pragma once

#include "rewrites/seg/by_threads.h"
#include "rewrites/seg/fold_parts.h"

namespace heddle::seg {

class AmongThreads : public FoldParts {
 public:
  AmongThreads(NameSource& names, const ThreadLevels& levels) : FoldParts(names), levels_(levels) {}

  void reduction(Builder& host, const Stm& s, const SegOp& op);
  void scan(Builder& host, const Stm& s, const SegOp& op);
  void histogram(Builder& host, const Stm& s, const SegOp& op);

 private:
  struct Chunk {
    SubExp start, count, stride;
  };
  static Chunk strided(Builder& b, const SubExp& width, const SubExp& threads, const SubExp& thread);
  static Chunk contiguous(Builder& b, const SubExp& width, const SubExp& size, const SubExp& thread);

  static SubExp threads_per_segment(Builder& host, const Segments& s, const SubExp& width, int64_t total);
  // Whose elements a thread folds: those that its neighbours leave, or a chunk of them, in order. Where the last chunk's result
  // is not asked for, it is that of no elements.
  enum class Share { Strided, Chunks, ChunksButLast };
  // Partial results, [segments][threads] of each type; [segments] (or [1]) without `threads`.
  std::vector<Name> fold(Builder& host, const Ops& ops, const Segments& s, const SubExp& width,
                         const std::optional<SubExp>& threads, Share share, const Producer& produce);

  std::vector<Name> scanned(Builder& host, const Ops& ops, const Segments& s, const SubExp& width, int level,
                            const Producer& produce);
  // The result of all chunks before this one.
  Operands prefix(Builder& b, const Ops& ops, const std::vector<Name>& prefixes, const Operands& segment,
                  const SubExp& t);
  Name scan_chunk(Builder& b, const Ops& ops, const Type& acc, const Name& acc_name, const Operands& segment,
                  const Chunk& c, const Operands& start, const Producer& produce);

  void parallel_histogram(Builder& host, const Stm& s, const SegOp& op);
  // One thread per segment: for operators that no atomic operation can apply.
  void sequential_histogram(Builder& host, const Stm& s, const SegOp& op);

  ThreadLevels levels_;
};

}  // namespace heddle::seg
