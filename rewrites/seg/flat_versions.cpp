#include "rewrites/seg/flat_versions.h"

#include "rewrites/seg/builder.h"

namespace heddle::seg {

namespace {

const Match* versions_in(const Stm& s) {
  const auto* match = std::get_if<Match>(&s.exp);
  return match && match->sort == MatchSort::Equiv && match->is_if() && s.pat.size() == 1 ? match : nullptr;
}

// That the last statement computes the result: by a kernel, or by one of several.
bool ends_in_kernel(const Body& body);

bool end_in_kernels(const Match& versions) {
  if (!ends_in_kernel(*versions.cases[0].body)) return false;
  // The host's own versions may lie in several orders, and would be copied here.
  return ends_in_kernel(*versions.otherwise) && !versions_in(*versions.otherwise->stms.back());
}

bool ends_in_kernel(const Body& body) {
  if (body.stms.empty() || body.result.size() != 1 || !body.result[0].certs.empty()) return false;
  const Stm& last = *body.stms.back();
  if (last.pat.size() != 1 || body.result[0].value != SubExp(last.pat[0].name)) return false;
  const Match* versions = versions_in(last);
  return std::holds_alternative<SegOp>(last.exp) || (versions && end_in_kernels(*versions));
}

bool yields_variable(const Body& body) { return body.result.size() == 1 && body.result[0].value.is_var(); }

class Flat {
 public:
  Flat(prim::Type elem, const SubExp& size, NameSource& names) : type_(Type::array(elem, {Dim(size)})), names_(names) {}

  Stm versions(Stm s) const {
    Match match = std::get<Match>(s.exp);
    match.ret = {type_};
    match.cases[0].body = body(*match.cases[0].body);
    match.otherwise = body(*match.otherwise);
    s.exp = std::move(match);
    s.pat = {{names_.fresh("flat"), type_}};
    return s;
  }

 private:
  BodyPtr body(Body b) const {
    Builder out(names_);
    if (ends_in_kernel(b) && versions_in(*b.stms.back())) {
      Stm inner = versions(*b.stms.back());
      b.stms.pop_back();
      out.add_all(b.stms);
      b.result[0].value = inner.pat[0].name;
      out.add(std::move(inner));
    } else {
      out.add_all(b.stms);
      b.result[0].value = out.let("flat", type_, Reshape{false, {type_.dims[0].size()}, b.result[0].value.name()});
    }
    return std::make_shared<const Body>(Body{out.take(), b.result});
  }

  Type type_;
  NameSource& names_;
};

}  // namespace

Stms with_flat_versions(Stms stms, bool is_copied, NameSource& names) {
  if (stms.empty()) return stms;
  const Stm whole = *stms.back();
  const Match* match = versions_in(whole);
  if (!match || whole.pat[0].type.rank() < 2) return stms;
  if (is_copied ? !ends_in_kernel(*match->cases[0].body) || !yields_variable(*match->otherwise)
                : !end_in_kernels(*match))
    return stms;
  Shape shape;
  for (const Dim& d : whole.pat[0].type.dims) {
    if (d.is_ext()) return stms;
    shape.push_back(d.size());
  }

  stms.pop_back();
  Builder out(names);
  out.add_all(stms);
  SubExp size = shape[0];
  for (size_t d = 1; d < shape.size(); ++d) size = out.mul(size, shape[d]);
  Stm flat = Flat(whole.pat[0].type.elem, size, names).versions(whole);
  const Name one_dimension = flat.pat[0].name;
  out.add(std::move(flat));
  out.add({whole.pat, {}, {}, Reshape{false, shape, one_dimension}, whole.position});
  return out.take();
}

}  // namespace heddle::seg
