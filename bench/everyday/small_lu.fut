-- LU of six by six matrices, each in a thread, in place.
def main [b] (as: [b][6][6]f32) : [b][6][6]f32 =
  map (\a0 ->
    let a = map2 (\i r -> map2 (\j x -> if i == j then x + 6 else x) (iota 6) r) (iota 6) a0
    in loop a = copy a for k < 6 do
      loop a for d < 5 - k do
        let i = k + 1 + d
        let f = a[i,k] / a[k,k]
        let a[i,k] = f
        in loop a for e < 5 - k do
          let j = k + 1 + e
          let a[i,j] = a[i,j] - f * a[k,j]
          in a) as
