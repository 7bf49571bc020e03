// Statements.
#include "ir/host/printer.h"

#include "ir/host/printer_parts.h"

namespace heddle::host {

std::string_view word(Aspect aspect) {
  static constexpr std::string_view kWords[] = {"size", "stride", "alignment", "address"};
  return kWords[static_cast<size_t>(aspect)];
}

std::string_view word(Question question) {
  static constexpr std::string_view kWords[] = {"parts", "detour_pays", "row_alignment"};
  return kWords[static_cast<size_t>(question)];
}

std::string_view word(seg::SizeClassKind kind) {
  static constexpr std::string_view kWords[] = {"thread_block_size", "grid_size", "tile_size", "reg_tile_size",
                                                "shared_memory",     "threshold", "bespoke"};
  return kWords[static_cast<size_t>(kind)];
}

std::string to_text(const Type& type) {
  std::string text(prim::name(type.elem));
  for (int d = 0; d < type.rank; ++d) text += "[]";
  return text;
}

namespace {

std::string text(const Name& n) { return nest::to_text(n); }
std::string text(const Expr& e) { return nest::to_text(e); }
std::string text(const Value& v) {
  return std::visit([](const auto& x) { return text(x); }, v);
}

std::string element(const Name& array, const std::vector<Expr>& index) {
  std::string all = text(array);
  for (const Expr& e : index) all += fmt::format("[{}]", text(e));
  return all + (index.empty() ? "[]" : "");
}

class Printer {
 public:
  explicit Printer(Lines& out) : out_(out) {}

  void block(const Block& b) {
    for (const Stmt& s : b.stmts) std::visit([&](const auto& node) { stmt(node); }, s->node);
    if (b.yields.empty()) return;
    std::vector<std::string> values;
    for (const Value& v : b.yields) values.push_back(text(v));
    out_.line("yield {};", fmt::join(values, ", "));
  }

 private:
  void inner(const Block& b) {
    out_.inner([&] { block(b); });
  }

  void stmt(const Let& s) { out_.line("let {}: {} = {};", text(s.name), prim::name(s.value->type), text(s.value)); }
  void stmt(const Measure& s) {
    bool has_dim = s.aspect == Aspect::Size || s.aspect == Aspect::Stride;
    out_.line("measure {} = {}{} of {};", text(s.name), word(s.aspect), has_dim ? fmt::format(" {}", s.dim) : "",
              text(s.array));
  }
  void stmt(const Ask& s) { out_.line("ask {} = {} {};", text(s.name), word(s.question), list(s.args)); }
  void stmt(const GetParam& s) { out_.line("param {} = {};", text(s.name), quote(s.param)); }
  void stmt(const GetMax& s) { out_.line("most {} = {};", text(s.name), word(s.kind)); }
  void stmt(const Compare& s) { out_.line("compare {} = {} <= {};", text(s.name), quote(s.param), text(s.value)); }
  void stmt(const ReadElement& s) {
    out_.line("read {}: {} = {};", text(s.name), prim::name(s.type), element(s.array, s.index));
  }

  void stmt(const Alloc& s) {
    std::string shape;
    for (const Expr& e : s.shape) shape += fmt::format("[{}]", text(e));
    out_.line("alloc {}: {}{}{}{}{};", text(s.name), prim::name(s.elem), shape,
              is_row_major(s.order) ? "" : " order " + list(s.order), s.from ? " from " + text(*s.from) : "",
              s.for_host ? " for host" : "");
  }
  void stmt(const Free& s) { out_.line("free {};", text(s.array)); }
  void stmt(const Share& s) { out_.line("share {} = {};", text(s.name), text(s.array)); }

  void stmt(const Slice& s) {
    std::string at;
    for (const Subscript& i : s.subscripts) {
      if (const auto* e = std::get_if<Expr>(&i)) {
        at += fmt::format("[{}]", text(*e));
      } else {
        const auto& r = std::get<Range>(i);
        at += fmt::format("[{} : {} : {}]", text(r.start), text(r.count), text(r.stride));
      }
    }
    out_.line("slice {} = {}{};", text(s.name), text(s.array), at);
  }
  void stmt(const FlatSlice& s) {
    std::string at = fmt::format("[{}]", text(s.offset));
    for (size_t d = 0; d < s.counts.size(); ++d) at += fmt::format("[{} : {}]", text(s.counts[d]), text(s.strides[d]));
    out_.line("flat {} = {}{};", text(s.name), text(s.array), at);
  }
  void stmt(const Rearrange& s) { out_.line("rearrange {} = {} {};", text(s.name), text(s.array), list(s.perm)); }
  void stmt(const Broadcast& s) { out_.line("broadcast {} = {} {};", text(s.name), text(s.array), list(s.sizes)); }
  void stmt(const Reshape& s) { out_.line("reshape {} = {} {};", text(s.name), text(s.array), list(s.shape)); }

  void stmt(const Manifest& s) { out_.line("manifest {} = {} {};", text(s.name), text(s.array), list(s.order)); }
  void stmt(const Deliver& s) { out_.line("deliver {} = {};", text(s.name), text(s.array)); }
  void stmt(const Copy& s) { out_.line("copy {} := {};", text(s.to), text(s.from)); }
  void stmt(const Pack& s) {
    out_.line("pack {} := {} {} {} {};", text(s.to), text(s.from), list(s.shape), list(s.to_strides),
              list(s.from_strides));
  }
  void stmt(const Fill& s) { out_.line("fill {} := {};", text(s.array), text(s.value)); }
  void stmt(const Iota& s) { out_.line("iota {} := {}, {};", text(s.array), text(s.start), text(s.step)); }
  void stmt(const Upload& s) { out_.line("upload {} := {};", text(s.array), list(s.values)); }
  void stmt(const WriteElement& s) { out_.line("write {} := {};", element(s.array, s.index), text(s.value)); }

  void stmt(const Launch& s) {
    out_.line("launch {} {} {}{};", s.kernel, list(s.scalars), list(s.buffers), s.beside_next ? " beside next" : "");
  }
  void stmt(const LaunchChosen& s) { out_.line("launch chosen {} {};", list(s.scalars), list(s.buffers)); }

  // Other brackets than those of the list.
  static std::string in_brackets(char open, std::string list, char close) {
    list.front() = open;
    list.back() = close;
    return list;
  }

  static std::string record(const Record& r) {
    std::vector<std::string> members;
    for (const Member& m : r.members) {
      std::string value = std::visit(
          [](const auto& v) {
            using T = std::decay_t<decltype(v)>;
            if constexpr (std::is_same_v<T, Records>) {
              return in_brackets('[', list(v, [](const Record& inner) { return record(inner); }), ']');
            } else if constexpr (std::is_same_v<T, Expr>) {
              return text(v);
            } else {
              return in_brackets('{', list(v), '}');
            }
          },
          m.value);
      members.push_back(fmt::format("{} = {}", quote(m.name), value));
    }
    return fmt::format("{} ({})", quote(r.type), fmt::join(members, ", "));
  }

  void stmt(const Choose& s) {
    out_.line("choose {{");
    out_.inner([&] {
      for (const Way& w : s.ways) {
        out_.line("way {} asks {{", w.kernel);
        inner(w.asked);
        out_.line("}} if {} measures {{", text(w.guard));
        inner(w.measured);
        out_.line("}} shape {}", record(w.shape));
        out_.line("sizes {} fixed {} places {} runs {{", list(w.sizes), list(w.fixed), list(w.places));
        inner(w.body);
        out_.line("}}");
      }
    });
    out_.line("}} else {{");
    inner(s.otherwise);
    out_.line("}}");
  }

  void stmt(const If& s) {
    for (size_t i = 0; i < s.cases.size(); ++i) {
      out_.line("{} {} {{", i == 0 ? "if" : "} case", text(s.cases[i].condition));
      inner(s.cases[i].body);
    }
    out_.line("{} {{", s.cases.empty() ? "always" : "} else");
    inner(s.otherwise);
    if (s.results.empty()) return out_.line("}}");
    out_.line("}} giving {};", list(s.results, [](const Binder& b) { return to_text(b); }));
  }

  void stmt(const Loop& s) {
    std::string form = std::visit(
        [](const auto& f) {
          if constexpr (std::is_same_v<std::decay_t<decltype(f)>, ForEach>) {
            return fmt::format("for {} < {}", text(f.index), text(f.bound));
          } else {
            return "while " + text(f.condition);
          }
        },
        s.form);
    out_.line("loop {} {} {{",
              list(s.params, [](const LoopParam& p) { return to_text(p.binder) + " = " + text(p.init); }), form);
    inner(s.body);
    if (s.results.empty()) return out_.line("}}");
    out_.line("}} giving {};", list(s.results));
  }

  void stmt(const Assert& s) { out_.line("assert {} else failure {} {};", text(s.condition), s.failure, list(s.args)); }
  void stmt(const Check& s) { out_.line("check {} else {};", text(s.condition), quote(s.message)); }
  void stmt(const Trace& s) { out_.line("trace {} {};", quote(s.tag), text(s.value)); }

  Lines& out_;
};

}  // namespace

void print(Lines& out, const Block& block) { Printer(out).block(block); }

std::string to_text(const Block& block) {
  Lines out;
  print(out, block);
  return out.take();
}

}  // namespace heddle::host
