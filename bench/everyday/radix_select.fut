-- The k smallest numbers' bound of each row by radix selection: four passes of 256-bin histograms narrow the key down, then counts below and a gather of the winners' positions.
def key (x: i32) : u32 = u32.i32 x ^ 0x80000000

def select [m] (k: i64) (keys: [m]u32) : (u32, i64) =
  loop (prefix, left) = (0u32, k)
  for pass in [0, 1, 2, 3] do
    let shift = 24 - 8 * pass
    let same x = pass == 0 || (x >> (shift + 8)) == (prefix >> (shift + 8))
    let bins =
      map (\x -> if same x then i64.u32 ((x >> shift) & 255) else -1) keys
    let count = reduce_by_index (replicate 256 0i64) (+) 0 bins (replicate m 1)
    let upto = scan (+) 0 count
    -- the digit is the number of bins that end at or before the wanted rank
    let digit = i64.sum (map (\c -> i64.bool (c <= left)) upto)
    let before = if digit == 0 then 0 else upto[digit - 1]
    in (prefix | (u32.i64 digit << shift), left - before)

entry main [n] [m] (k: i64) (rows: [n][m]i32) : ([n]i32, [n]i64, [n][k]i32) =
  let keys = map (map key) rows
  let (bounds, ties) = unzip (map (select (k - 1)) keys)
  -- positions of the k smallest in order of position: all below the bound, and the first few equal to it
  let winners =
    map3 (\row bound tie ->
            let below = map (\x -> i64.bool (x < bound)) row
            let equal = map (\x -> i64.bool (x == bound)) row
            let nth_equal = scan (+) 0 equal
            let take = map3 (\b e s -> b == 1 || (e == 1 && s <= tie + 1)) below equal nth_equal
            let at = scan (+) 0 (map i64.bool take)
            in scatter (replicate k (-1i32))
                       (map2 (\t a -> if t then a - 1 else -1) take at)
                       (map i32.i64 (iota m)))
         keys bounds ties
  in (map (\b -> i32.u32 (b ^ 0x80000000)) bounds, ties, winners)
