-- Widest paths between all pairs: the max-min closure of a capacity matrix by repeated squaring over a semiring module.
module type semiring = {
  type t
  val zero : t
  val add : t -> t -> t
  val mul : t -> t -> t
}

module matrices (S: semiring) = {
  def product [n] [m] [k] (a: [n][k]S.t) (b: [k][m]S.t) : [n][m]S.t =
    map (\row -> map (\col -> reduce_comm S.add S.zero (map2 S.mul row col)) (transpose b)) a
}

module widest = matrices {
  type t = i32
  def zero = 0i32
  def add = i32.max
  def mul = i32.min
}

entry main [n] (cap: [n][n]i32) : ([n][n]i32, i32, i32) =
  let start = tabulate_2d n n (\i j -> if i == j then i32.highest
                                       else if cap[i, j] & 7 != 0 then 0 else (cap[i, j] >> 3) & 0xffff)
  let (closed, rounds, _) =
    loop (m, r, go) = (start, 0i32, true) while go do
      let m' = widest.product m m
      in (m', r + 1, !(and (flatten (map2 (map2 (==)) m m'))))
  in (closed, rounds, i32.minimum (flatten closed))
