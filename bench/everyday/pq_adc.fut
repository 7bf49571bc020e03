-- Product quantisation search in whole numbers: a table of squared distances for each query and subspace, asymmetric distances of all codes, best match, histogram and count within a radius.
def clip (lo: i32) (hi: i32) (x: i32) = i32.max lo (i32.min hi x)

def tables [m] [s] (books: [m][256][s]i8) (query: [m][s]i8) : [m][256]i32 =
  map2 (\book part ->
          map (\word -> i32.sum (map2 (\a b -> let d = i32.i8 a - i32.i8 b in d * d) word part)) book)
       books query

entry main [n] [m] [s] [q] (buckets: i64) (codes: [n][m]u8) (books: [m][256][s]i8) (queries: [q][m][s]i8)
    : ([q]i32, [q]i64, [q][buckets]i32, [q]i32) =
  let unit = i32.i64 (m * s) * 65536 / i32.i64 buckets
  let search query =
    let lut = tables books query
    let dist = map (\code -> loop d = 0i32 for j < m do d + lut[j, i64.u8 code[j]]) codes
    let (d, i) =
      reduce_comm (\(a, i) (b, j) -> if a < b || (a == b && i < j) then (a, i) else (b, j))
                  (i32.highest, i64.highest) (zip dist (iota n))
    let spread =
      reduce_by_index (replicate buckets 0i32) (+) 0
        (map (\d -> i64.i32 (clip 0 (i32.i64 buckets - 1) (d / unit))) dist) (replicate n 1)
    let near = i32.sum (map (\e -> i32.bool (2 * e < 3 * d)) dist)
    in (d, i, spread, near)
  in unzip4 (map search queries)
