-- The fast Walsh-Hadamard transform of many rows.
def main [b] (k: i64) (xs: [b][2**k]f32) : [b][2**k]f32 =
  map (\row -> loop r = copy row for j < k do
    let d = 1i64 << j
    in map (\i -> if i & d == 0 then r[i] + r[i ^ d] else r[i ^ d] - r[i]) (iota (2**k))) xs
