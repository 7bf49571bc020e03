-- Star join: facts probe a dimension table (nulls skipped, the newest row of a key wins), then are grouped by the dimension's category.
def no_row = -1i64

def slot (nk: i64) (k: i32) : i64 = i64.i32 (k & 0x7fffffff) % nk

def build [n] (nk: i64) (keys: [n]i32) (valid: [n]bool) : [nk]i64 =
  let ix = map2 (\k ok -> if ok then slot nk k else -1) keys valid
  in reduce_by_index (replicate nk no_row) i64.max no_row ix (iota n)

def probe [nk] (table: [nk]i64) (k: i32) : i64 = table[slot nk k]

entry main [n] [m] (nk: i64)
                   (rkey: [n]i32) (rcat: [n]u8) (rprice: [n]i32) (valid: [n]bool)
                   (skey: [m]i32) (qty: [m]u8) : ([256]i64, [256]i32, i64, i64) =
  let table = build nk rkey valid
  let hits = map (probe table) skey
  let rows = zip hits qty
  let (cats, amounts) =
    unzip (map (\(h, q) ->
                  if h == no_row || q < 10 then (-1, 0)
                  else (i64.u8 rcat[h], i64.i32 (rprice[h] >> 8) * i64.u8 q))
               rows)
  let revenue = hist (+) 0 256 cats amounts
  let counts = hist (+) 0i32 256 cats (replicate m 1)
  let unmatched = i64.sum (map (\h -> i64.bool (h == no_row)) hits)
  let distinct = table |> map (!= no_row) |> map i64.bool |> i64.sum
  in (revenue, counts, unmatched, distinct)
