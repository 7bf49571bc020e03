// How the work of segments is divided among threads: what by_threads.h makes reductions, scans and histograms of.
#pragma once

#include <functional>

#include "rewrites/seg/by_threads.h"
#include "rewrites/seg/fold_parts.h"

namespace heddle::seg {

// Code that may as well be written, and run, several times: short, and straight.
bool is_short(const Stms& stms);

class AmongThreads : public FoldParts {
 public:
  // `unread`: as by_threads is told it.
  AmongThreads(NameSource& names, const ThreadLevels& levels, const NameSet* unread)
      : FoldParts(names), levels_(levels), unread_(unread) {}

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
                         const std::optional<SubExp>& threads, Share share, const Producer& produce, int lanes = 1);
  // The first level's partial results, [segments][threads][inner] rows of operators that are maps over them, reduced element by
  // element; in one operation those of one shape, in each of as many as there are shapes.
  std::vector<Name> reduced_by_shapes(Builder& host, const SegOp& op, const Segments& s, const SubExp& threads,
                                      const std::vector<Name>& partials);
  std::vector<Name> reduced_columns(Builder& host, const SegOp& op, const Segments& s, const SubExp& threads,
                                    const std::vector<Name>& partials);
  // The partial results of segments, [segments][threads], which are the results where each has one; else what `joined` makes of them.
  std::vector<Name> joined_unless_one(Builder& host, const Ops& ops, const Segments& s, const SubExp& threads,
                                      const std::vector<Name>& partials,
                                      const std::function<std::vector<Name>(Builder&)>& joined);
  // A thread's fold of its chunk,
  Operands folded(Builder& b, const Ops& ops, const Operands& segment, const Chunk& chunk, const Producer& produce);
  // and the same as so many folds at a time.
  Operands folded_in_lanes(Builder& b, const Ops& ops, const Operands& segment, const Chunk& chunk,
                           const Producer& produce, int lanes);
  // What the lanes come to; nothing where there are no elements in them.
  Operands lanes_together(Builder& outer, const Ops& ops, const Operands& segment, const Chunk& chunk,
                          const Producer& produce, int lanes, const SubExp& in_lane);
  // As how many folds at a time a thread of a processor folds these elements.
  int lanes_of(const SegOp& op) const;

  // `stored`: which of the operators' results; only these are returned. `lanes`: of the folds of what chunks have.
  std::vector<Name> scanned(Builder& host, const Ops& ops, const Segments& s, const SubExp& width, int level,
                            const Producer& produce, const std::vector<bool>& stored, int lanes = 1);
  // The result of all chunks before this one.
  Operands prefix(Builder& b, const Ops& ops, const std::vector<Name>& prefixes, const Operands& segment,
                  const SubExp& t);
  Name scan_chunk(Builder& b, const Ops& ops, const Type& acc, const Name& acc_name, const Operands& segment,
                  const Chunk& c, const Operands& start, const Producer& produce, const std::vector<bool>& stored);

  void parallel_histogram(Builder& host, const Stm& s, const SegOp& op);
  // One thread per segment: for operators that no atomic operation can apply.
  void sequential_histogram(Builder& host, const Stm& s, const SegOp& op);
  // A histogram of each chunk by one thread, and then one of these.
  void chunked_histogram(Builder& host, const Stm& s, const SegOp& op);
  // That where it has enough chunks, else atomic operations.
  void histogram_by_size(Builder& host, const Stm& s, const SegOp& op);
  // The same on elements that are whole where it works on vectors of them.
  HistOp on_whole_elements(Builder& b, const HistOp& h);
  // The bins of a chunk, [bins] of each result.
  Operands bins_of_chunk(Builder& b, const SegOp& op, const Operands& segment, const Chunk& chunk);
  // The bins of all chunks of a segment together with what the histogram began with.
  std::vector<Name> joined_bins(Builder& host, const HistOp& h, const Segments& segments, const SubExp& chunks,
                                const std::vector<Name>& parts);
  // How many chunks a segment has, so that each has several elements for a bin; 0 where one would have too few.
  SubExp chunks_with_bins(Builder& host, const SegOp& op, const Segments& segments) const;

  ThreadLevels levels_;
  const NameSet* unread_;
};

}  // namespace heddle::seg
