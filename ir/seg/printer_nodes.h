// The printer's inside: one overload of `put` for each kind of node, so that a kind without one does not compile.
#pragma once

#include "ir/seg/printer.h"

namespace heddle::seg {

class Printer {
 public:
  std::string out;

  // ---- Words. ----

  void put(const char* text);
  void put(const std::string& text);
  void put(int n);
  void put(const Name& n);
  void put(const prim::Value& v);
  void put(const SubExp& x);
  void put(prim::Type t);

  // A template, so that an alternative without an overload of its own is not converted back into its variant.
  template <class... Alternatives>
  void put(const std::variant<Alternatives...>& v) {
    std::visit([&](const auto& x) { put(x); }, v);
  }

  template <class... Ts>
  void puts(const Ts&... parts) {
    (put(parts), ...);
  }

  template <class T>
  void commas(const std::vector<T>& xs) {
    bool first = true;
    for (const T& x : xs) {
      if (!first) out += ", ";
      first = false;
      put(x);
    }
  }

  template <class T>
  void in_braces(const std::vector<T>& xs) {
    out += '{';
    commas(xs);
    out += '}';
  }

  template <class T>
  void in_brackets(const std::vector<T>& xs) {
    out += '[';
    commas(xs);
    out += ']';
  }

  template <class T>
  void in_parens(const std::vector<T>& xs) {
    out += '(';
    commas(xs);
    out += ')';
  }

  // Each item on a line of its own.
  template <class T>
  void lines_in(char open, const std::vector<T>& xs, char close) {
    out += open;
    for (size_t i = 0; i < xs.size(); ++i) {
      if (i > 0) {
        out += ',';
        new_line();
      }
      put(xs[i]);
    }
    out += close;
  }

  void new_line();

  template <class F>
  void indented(F f) {
    ++indent_;
    f();
    --indent_;
  }

  // { on this line, the block below it, } below that.
  template <class F>
  void block(F f) {
    out += '{';
    indented([&] {
      new_line();
      f();
    });
    new_line();
    out += '}';
  }

  // ---- Types. ----

  void put_shape(const Shape& s);
  void put(const Dim& d);
  void put(const Type& t);
  void put(const RetType& r);
  void put(const ValueType& t);
  void put(const OpaqueRef& t);
  void put(const RecordField& f);
  void put(const SumPayload& p);
  void put(const SumVariant& v);

  template <class T>
  void items(const std::vector<T>& xs) {
    out += '{';
    indented([&] {
      for (const T& x : xs) {
        new_line();
        put(x);
      }
    });
    new_line();
    out += '}';
  }

  void put(const OpaqueType& t);
  void put(const OpaqueRecord& t);
  void put(const OpaqueSum& t);
  void put(const OpaqueArray& t);
  void put(const OpaqueRecordArray& t);
  void put(const OpaqueDef& d);

  // ---- Pieces. ----

  void put(const Attr& a);
  void put(const Attrs& as);
  void put_certs(const Certs& cs);
  void put(const Param& p);
  void put(const PatElem& p);
  void put(const SubExpRes& r);
  void put(const Lambda& l);
  void put(const DimFix& d);
  void put(const DimSlice& d);
  void put(const FlatDim& d);
  void put(const FlatSlice& s);

  // ---- Bodies. ----

  void put(const Stm& s);
  void put(const Stms& stms);
  void put(const Body& b);
  void put(const KernelBody& b);
  void put_branch(const Body& b);

  // ---- Expressions. ----

  void put(const Atom& e);
  void put(const Opaque& e);
  void put(const PrimOp& e);
  void put(const ArrayLit& e);
  void put(const ArrayVal& e);
  void put(const ErrorVal& v);
  void put(const ErrorPart& p);
  void put(const Assert& e);
  void put(const Index& e);
  void put(const Update& e);
  void put(const FlatIndex& e);
  void put(const FlatUpdate& e);
  void put(const Concat& e);
  void put(const Manifest& e);
  void put(const Iota& e);
  void put(const Replicate& e);
  void put(const Scratch& e);
  void put(const Reshape& e);
  void put(const Rearrange& e);
  void put(const UpdateAcc& e);
  void put(const Arg& a);
  void put(const Apply& e);
  void put(MatchSort sort);
  void put(const std::optional<prim::Value>& pattern);
  void put(const Match& e);
  void put(const ForLoop& f);
  void put(const WhileLoop& f);
  void put(const Loop& e);
  void put(const WithAccInput& input);
  void put(const WithAcc& e);

  // ---- SOACs. ----

  // keyword(width, {arrays}, and then each further argument on a line of its own.
  void soac_head(const char* keyword, const SubExp& width, const std::vector<Name>& arrays);
  void next_line();
  void put(const ScanOp& op);
  void put(const ReduceOp& op);
  void put(const Screma& e);
  void put(const ScatterDest& d);
  void put(const Scatter& e);
  void put_hist_op(const HistOp& op, bool in_segop);
  void put_hist_ops(char open, const std::vector<HistOp>& ops, char close, bool in_segop);
  void put(const Hist& e);
  void put(const Stream& e);
  void put(const Derivative& e);

  // ---- The GPU form. ----

  void put(const SegLevel& l);
  void put(const SegDim& d);
  void put(const SegSpace& s);
  void put(const SegBinOp& op);
  void put(const Returns& r);
  void put(const Write& w);
  void put(const WriteReturns& r);
  void put(const TileDim& d);
  void put(const TileReturns& r);
  void put(const RegTileDim& d);
  void put(const RegTileReturns& r);
  void put(const SegOp& e);
  void put(const PathStep& s);
  void put(const SizeClass& c);
  void put(const GetSize& e);
  void put(const GetSizeMax& e);
  void put(const CmpSize& e);
  void put(const CalcNumBlocks& e);
  void put(const GpuBody& e);

  // ---- Programs. ----

  void put(const EntryParam& p);
  void put(const EntryResult& r);
  void put(const FunDef& f);
  void put(const Program& p);

 private:
  int indent_ = 0;
};

}  // namespace heddle::seg
