-- Ranks over a four-letter text by a scan of quadruples; intervals of many patterns by backward search.
type four = (i32, i32, i32, i32)
def add ((a, b, c, d): four) ((e, f, g, h): four) : four = (a + e, b + f, c + g, d + h)
def get (c: u8) ((w, x, y, z): four) : i64 =
  i64.i32 (match c case 0 -> w case 1 -> x case 2 -> y case _ -> z)
def unit (c: u8) : four = (i32.bool (c == 0), i32.bool (c == 1), i32.bool (c == 2), i32.bool (c == 3))

entry main [n][q][l] (bwt: [n]u8) (patterns: [q][l]u8) : ([q]i32, i64, i64) =
  let occ = scan add (0, 0, 0, 0) (map (\b -> unit (b & 3)) bwt)
  let (a, c, g, _) = if n > 0 then occ[n - 1] else (0, 0, 0, 0)
  let first : four = (0, a, a + c, a + c + g)
  let rank ch i = if i == 0 then 0 else get ch occ[i - 1]
  let search [k] (p: [k]u8) =
    let (lo, hi, used) =
      loop (lo, hi, j) = (0, n, 0) while j < k && lo < hi do
        let ch = p[k - 1 - j] & 3
        let base = get ch first
        in (base + rank ch lo, base + rank ch hi, j + 1)
    in (hi - lo, used)
  let (counts, used) = unzip (map search patterns)
  in (map i32.i64 counts, i64.sum counts, i64.sum used)
