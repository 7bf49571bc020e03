// SOACs.
#include <algorithm>

#include "ir/seg/verify_checker.h"

namespace heddle::seg {

std::optional<std::vector<Checker::LambdaArg>> Checker::soac_args(const SubExp& width, const std::vector<Name>& arrays,
                                                                  std::string_view what) {
  require(width, prim::Type::I64, fmt::format("The width of {}", what));
  std::vector<LambdaArg> args;
  bool known = true;
  for (const Name& a : arrays) {
    const Type* type = use(a);
    if (!type || type->is_scalar()) {
      if (type) problem("{} takes arrays, but {} is of type {}.", what, a.text(), print(*type));
      known = false;
    } else if (type->is_acc()) {
      args.push_back(LambdaArg{*type, roots_of(a)});
    } else {
      if (type->dims[0] != Dim(width)) {
        problem("{} has width {}, but {} is of type {}.", what, print(width), a.text(), print(*type));
      }
      args.push_back(LambdaArg{strip(*type, 1), roots_of(a)});
    }
  }
  if (!known) return std::nullopt;
  return args;
}

Outs Checker::rule(const Screma& e) {
  std::string what =
      e.scans.empty() ? (e.reduces.empty() ? "map" : "redomap") : (e.reduces.empty() ? "scanomap" : "screma");
  auto args = soac_args(e.width, e.arrays, what);
  if (args) check_lambda(e.map, *args, what);
  std::vector<Type> combined;
  std::vector<Type> results;
  auto check = [&](const Lambda& lambda, const std::vector<SubExp>& neutral, const Shape& shape) {
    auto types = use_all(neutral);
    if (!types) return;
    check_operator(lambda, *types, what);
    for (const Type& t : *types) {
      combined.push_back(t);
      results.push_back(array_of(shape, t));
    }
  };
  for (const ScanOp& s : e.scans) check(s.lambda, s.neutral, {e.width});
  for (const ReduceOp& r : e.reduces) check(r.lambda, r.neutral, {});
  size_t count = 0;
  for (const ScanOp& s : e.scans) count += s.neutral.size();
  for (const ReduceOp& r : e.reduces) count += r.neutral.size();
  if (combined.size() != count || !args) return std::nullopt;
  const std::vector<Type>& mapped = e.map.ret;
  if (mapped.size() < count || !same(std::span(mapped).first(count), combined)) {
    problem("The map part of {} returns {}, but its first results must be what is to be combined: {}.", what,
            print(mapped), print(combined));
    return std::nullopt;
  }
  for (size_t i = count; i < mapped.size(); i++) results.push_back(array_of({e.width}, mapped[i]));
  return fresh(std::move(results));
}

Outs Checker::rule(const Scatter& e) {
  auto args = soac_args(e.width, e.arrays, "scatter");
  size_t indices = 0, values = 0;
  for (const ScatterDest& d : e.dests) {
    size_t writes = static_cast<size_t>(std::max(d.num_writes, 0));
    indices += writes * d.shape.size();
    values += writes;
  }
  const std::vector<Type>& ret = e.lambda.ret;
  std::vector<Type> types;
  bool known = args.has_value();
  if (ret.size() != indices + values) {
    problem("The lambda of scatter returns {} values, but must return {} indices and {} values to write.", ret.size(),
            indices, values);
    known = false;
  }
  for (size_t i = 0; known && i < indices; i++) {
    if (!same(ret[i], i64_type()))
      problem("Index {} returned by the lambda of scatter is of type {}.", i, print(ret[i]));
  }
  size_t next = indices;
  for (const ScatterDest& d : e.dests) {
    require_sizes(d.shape, "A size of scatter");
    const Type* type = use_array(d.array, "What scatter updates");
    if (!type || !known) {
      known = false;
      continue;
    }
    for (int w = 0; w < d.num_writes; w++) {
      Type wanted = array_of(d.shape, ret[next++]);
      if (!same(*type, wanted)) {
        problem("scatter writes values that need an array of type {}, but {} is of type {}.", print(wanted),
                d.array.text(), print(*type));
      }
    }
    types.push_back(*type);
    consume(d.array);
  }
  if (args) check_lambda(e.lambda, *args, "scatter");
  if (!known) return std::nullopt;
  return fresh(std::move(types));
}

std::optional<std::vector<Type>> Checker::check_hist_op(const HistOp& op, const Shape& segment) {
  require_sizes(op.shape, "A size of a histogram");
  require_sizes(op.op_shape, "A size of a histogram's operator");
  require(op.race_factor, prim::Type::I64, "The race factor of a histogram");
  auto types = use_all(op.neutral);
  if (!types) return std::nullopt;
  check_operator(op.op, *types, "a histogram");
  if (op.dests.size() != types->size()) {
    problem("A histogram has {} arrays, but {} neutral elements.", op.dests.size(), types->size());
    return std::nullopt;
  }
  Shape shape = segment;
  shape.insert(shape.end(), op.shape.begin(), op.shape.end());
  shape.insert(shape.end(), op.op_shape.begin(), op.op_shape.end());
  for (size_t i = 0; i < op.dests.size(); i++) {
    require(op.dests[i], array_of(shape, (*types)[i]), "The array of a histogram");
    consume(op.dests[i]);
  }
  return types;
}

Outs Checker::rule(const Hist& e) {
  std::vector<Type> bucket_types, values, results;
  bool known = true;
  for (const HistOp& op : e.ops) {
    auto types = check_hist_op(op, {});
    bucket_types.insert(bucket_types.end(), op.shape.size(), i64_type());
    if (!op.op_shape.empty()) problem("The operator of hist can't be a map; only seghist has that.");
    known = known && types;
    if (!types) continue;
    for (const Type& t : *types) {
      values.push_back(t);
      results.push_back(array_of(op.shape, t));
    }
  }
  auto args = soac_args(e.width, e.arrays, "hist");
  if (args) check_lambda(e.bucket, *args, "hist");
  if (!known) return std::nullopt;
  bucket_types.insert(bucket_types.end(), values.begin(), values.end());
  if (!same(e.bucket.ret, bucket_types)) {
    problem("The lambda of hist returns {}, but must return {}: indices, then values.", print(e.bucket.ret),
            print(bucket_types));
  }
  return fresh(std::move(results));
}

Outs Checker::rule(const Stream& e) {
  auto arrays = soac_args(e.width, e.arrays, "stream");
  auto accs = use_all(e.accs);
  if (!arrays || !accs) return std::nullopt;
  if (e.lambda.params.empty()) {
    problem("The lambda of stream must take the chunk's size first.");
    return std::nullopt;
  }
  const std::vector<Type>& ret = e.lambda.ret;
  if (ret.size() < accs->size() || !same(std::span(ret).first(accs->size()), *accs)) {
    problem("The lambda of stream returns {}, but must return the accumulators first: {}.", print(ret), print(*accs));
    return std::nullopt;
  }
  SubExp chunk = e.lambda.params[0].name;
  std::vector<LambdaArg> args{LambdaArg{i64_type(), {}}};
  for (size_t i = 0; i < accs->size(); i++) args.push_back(LambdaArg{(*accs)[i], roots_of(e.accs[i])});
  for (LambdaArg& a : *arrays) args.push_back(LambdaArg{array_of({chunk}, a.type), {}});
  check_lambda(e.lambda, args, "stream");
  // All chunks together make the whole width.
  Substitution whole{{e.lambda.params[0].name, e.width}};
  for (size_t i = 0; i < accs->size() && i + 1 < e.lambda.params.size(); i++) {
    whole.insert_or_assign(e.lambda.params[i + 1].name, e.accs[i]);
  }
  std::vector<Type> results;
  for (const Type& t : ret) results.push_back(t.is_acc() ? t : substitute(whole, t));
  return fresh(std::move(results));
}

Outs Checker::rule(const Derivative& e) {
  std::string what = e.reverse ? "vjp" : "jvp";
  auto args = use_all(e.args);
  auto seeds = use_all(e.seeds);
  if (!args || !seeds) return std::nullopt;
  std::vector<LambdaArg> lambda_args;
  for (const Type& t : *args) lambda_args.push_back(LambdaArg{t, {}});
  check_lambda(e.lambda, lambda_args, what);
  const std::vector<Type>& like = e.reverse ? e.lambda.ret : *args;
  if (!same(*seeds, like)) {
    problem("The seeds of {} are of types {}, but must be of types {}.", what, print(*seeds), print(like));
  }
  std::vector<Type> results = e.lambda.ret;
  const std::vector<Type>& more = e.reverse ? *args : e.lambda.ret;
  results.insert(results.end(), more.begin(), more.end());
  return fresh(std::move(results));
}

}  // namespace heddle::seg
