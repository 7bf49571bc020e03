-- Global alignment with affine gaps of many pairs: antidiagonals inside each pair, three states per cell.
def minus_inf = -100000000i32
def gap_open = 11i32
def gap_ext = 1i32

def score (a: u8) (b: u8) : i32 = if a == b then 5 else if (a ^ b) & 1 == 0 then -1 else -4

type cell = {m: i32, x: i32, y: i32}

def best (c: cell) = i32.max c.m (i32.max c.x c.y)

def align [n] (a: [n]u8) (b: [n]u8) : (i32, i32) =
  let dead: cell = {m = minus_inf, x = minus_inf, y = minus_inf}
  let edge (d: i64) = let g = -gap_open - gap_ext * i32.i64 d in g
  let get (v: [n + 1]cell) i = if i < 0 then dead else v[i]
  let init: [n + 1]cell = map (\i -> if i == 0 then {m = 0, x = minus_inf, y = minus_inf} else dead) (iota (n + 1))
  let (_, final, peak) =
    loop (prev2, prev, peak) = (replicate (n + 1) dead, init, minus_inf) for d in 1..<(2 * n + 1) do
      let row i : cell =
        let j = d - i
        in if j < 0 || j > n then dead
           else if i == 0 then {m = minus_inf, x = minus_inf, y = edge j}
           else if j == 0 then {m = minus_inf, x = edge i, y = minus_inf}
           else let up = prev[i - 1]
                let left = prev[i]
                in { m = best (get prev2 (i - 1)) + score a[i - 1] b[j - 1]
                   , x = i32.max (best up - gap_open) up.x - gap_ext
                   , y = i32.max (best left - gap_open) left.y - gap_ext }
      let now = map row (iota (n + 1))
      let top = reduce i32.max minus_inf (map best now)
      in (prev, now, i32.max peak top)
  in (best final[n], peak)

entry main [k] [n] (as: [k][n]u8) (bs: [k][n]u8) : ([k]i32, [k]i32, i64) =
  let (s, p) = unzip (map2 (\a b -> align (map (& 3) a) (map (& 3) b)) as bs)
  in (s, p, i64.sum (map i64.i32 s))
