-- Knight's tours by Warnsdorff's rule with random tie breaks: one board a thread, kept as free-square counts updated in place.
def dx (k: i64) : i64 = [1i64, 2, 2, 1, -1, -2, -2, -1][k]
def dy (k: i64) : i64 = [2i64, 1, -1, -2, -2, -1, 1, 2][k]

def main [m] (n0: i64) (seeds: [m]u32) =
  let n = i64.max 1 (i64.min 10 n0)
  let inside y x = y >= 0 && y < n && x >= 0 && x < n
  let degree = tabulate (n * n) (\c ->
    i8.i64 (i64.sum (map (\k -> i64.bool (inside (c / n + dy k) (c % n + dx k))) (iota 8))))
  let tour (seed: u32) =
    let start = i64.u32 seed % (n * n)
    -- deg < 0 marks a visited square
    let (_, pos, len, sum, _) =
      loop (deg, pos, len, sum, s) = (copy degree, start, 0i32, 0u32, seed | 1) while pos >= 0 && len < i32.i64 (n * n) do
        let deg = deg with [pos] = -1
        let s = s * 1664525 + 1013904223
        let turn = i64.u32 (s >> 29)
        let (y, x) = (pos / n, pos % n)
        let (deg, best, _) =
          loop (deg, best, low) = (deg, -1i64, 99i8) for q < 8 do
            let k = (q + turn) % 8
            let (yy, xx) = (y + dy k, x + dx k)
            in if not (inside yy xx) then (deg, best, low)
               else let c = yy * n + xx
                    let d = deg[c]
                    in if d < 0 then (deg, best, low)
                       else let deg = deg with [c] = i8.max 0 (d - 1)
                            in if d < low then (deg, c, d) else (deg, best, low)
        in (deg, best, len + 1, sum * 31 + u32.i64 pos, s)
    in (len, sum, pos < 0 && len == i32.i64 (n * n))
  let (len, code, whole) = unzip3 (map tour seeds)
  let lens = reduce_by_index (replicate (n * n + 1) 0i32) (+) 0 (map i64.i32 len) (replicate m 1)
  in (len, code, lens, i64.sum (map i64.bool whole))
