#include "rewrites/host/needed.h"

#include <algorithm>
#include <utility>

#include "ir/host/traverse.h"

namespace heddle::host {

namespace {

struct FindUsers : Walker<FindUsers> {
  std::unordered_map<Name, std::vector<Stmt>> of;
  std::unordered_map<Name, Expr> computed;
  Stmt user;  // null: the function, which yields it
  void use(const Name& n) { of[n].push_back(user); }
  void stmt(const Stmt& s) {
    if (const auto* let = std::get_if<Let>(&s->node)) computed.emplace(let->name, let->value);
    Stmt around = std::exchange(user, s);
    Walker<FindUsers>::stmt(s);
    user = around;
  }
};

bool may_be_in_kernel(const Stmt& user) {
  return std::holds_alternative<Launch>(user->node) || std::holds_alternative<WriteElement>(user->node);
}

bool is_of_host(const Stmt& user) {
  return !user || !(may_be_in_kernel(user) || std::holds_alternative<LaunchChosen>(user->node) ||
                    std::holds_alternative<Let>(user->node));
}

}  // namespace

Needed::Needed(const Block& body) {
  FindUsers found;
  found.body(body);
  users_ = std::move(found.of);
  computed_ = std::move(found.computed);
  for (const auto& [name, users] : users_) {
    if (is_for_one_kernel(name)) once_.insert(name);
    if (std::ranges::any_of(users, is_of_host)) need_by_host(name);
  }
}

bool Needed::is_for_one_kernel(const Name& name) const {
  auto it = users_.find(name);
  if (it == users_.end()) return false;
  const std::vector<Stmt>& users = it->second;
  if (!users[0] || std::ranges::count(users, users[0]) != std::ssize(users)) return false;
  const auto* let = std::get_if<Let>(&users[0]->node);
  return let ? is_for_one_kernel(let->name) : may_be_in_kernel(users[0]);
}

void Needed::need_by_host(const Name& name) {
  if (!by_host_.insert(name).second) return;
  auto it = computed_.find(name);
  if (it == computed_.end()) return;
  for (const Name& n : nest::free_names(it->second)) need_by_host(n);
}

}  // namespace heddle::host
