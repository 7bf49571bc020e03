-- The nearest codes of 256 bits.
def main [n][m] (as: [n][8]u32) (bs: [m][8]u32) : ([n]i32, [n]i32) =
  unzip (map (\a ->
    let ds = map (\b -> i32.sum (map2 (\x y -> u32.popc (x ^ y)) a b)) bs
    in reduce (\(d1,i1) (d2,i2) -> if d1 < d2 || (d1 == d2 && i1 < i2) then (d1,i1) else (d2,i2)) (i32.highest, i32.highest) (zip ds (map i32.i64 (iota m)))) as)
