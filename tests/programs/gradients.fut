-- Gradients by reverse mode: what points add to the same places is summed first, in all versions that the host's compiler makes.
-- ==
-- entry: dense
-- input { [[1f32, 2f32], [3f32, 4f32], [5f32, 6f32]] [[1f32], [2f32], [3f32]] [[0.5f32, 0.25f32]] [1f32] }
-- output { [[22f32, 28f32]] [6f32] }
-- input { empty([0][2]f32) empty([0][1]f32) [[0.5f32, 0.25f32]] [1f32] } output { [[0f32, 0f32]] [0f32] }

-- ==
-- entry: neuron
-- input { [[1f32, 2f32], [3f32, 4f32], [-5f32, 6f32]] [0.5f32, 0.25f32] } output { [27f32, 12f32] }
-- input { [[1f32, 2f32], [3f32, 4f32]] [0f32, 0f32] } output { [0f32, 0f32] }

-- ==
-- entry: windows
-- input { [1f32, 2f32, 3f32, 4f32, 5f32] [1f32, 0f32, -1f32] [1f32, 2f32, 4f32] } output { [17f32, 24f32, 31f32] 7f32 }

-- ==
-- entry: twice
-- input { [[1f32, 2f32], [3f32, 4f32]] [0.5f32, 0.25f32] } output { [8f32, 12f32] }

-- ==
-- entry: picked
-- input { [2i64, 0i64, 2i64] [1f32, 2f32, 3f32] } output { [2f32, 0f32, 4f32] }

-- ==
-- entry: pairs
-- input { [[1f32, 2f32], [3f32, 4f32]] } output { [[8f32, 12f32], [8f32, 12f32]] }
-- input { empty([0][2]f32) } output { empty([0][2]f32) }

entry dense [n][d][k] (x: [n][d]f32) (t: [n][k]f32) (w: [k][d]f32) (b: [k]f32) : ([k][d]f32, [k]f32) =
  let layer w b = map (\r -> map2 (\c s -> s + f32.sum (map2 (*) r c)) w b) x
  let loss (w, b) = f32.sum (map2 (\o e -> f32.sum (map2 (*) o e)) (layer w b) t)
  in vjp loss (w, b) 1

entry neuron [n][d] (x: [n][d]f32) (w: [d]f32) : [d]f32 =
  vjp (\w -> f32.sum (map (\r -> let z = f32.sum (map2 (*) r w) in z * z) x)) w 1

-- With respect to a window and to what is added, weighted.
entry windows [n][k][m] (x: [n]f32) (w: [k]f32) (t: [m]f32) : ([k]f32, f32) =
  let loss (w, b) = f32.sum (map2 (\i e -> e * (b + f32.sum (map2 (\j c -> c * x[i + j]) (iota k) w))) (iota m) t)
  in vjp loss (w, 0) 1

-- Read in two places.
entry twice [n][d] (x: [n][d]f32) (w: [d]f32) : [d]f32 =
  vjp (\w -> f32.sum (map (\r -> f32.sum (map2 (*) r w) + f32.sum (map2 (\a b -> a * b) w r)) x)) w 1

-- Where data say which element is read, its updates meet as they come.
entry picked [n] (is: [n]i64) (xs: [n]f32) : [n]f32 =
  vjp (\xs -> f32.sum (map (\i -> xs[i % n]) is) + xs[0] + xs[2] + xs[2]) xs 1

-- What is read is summed within others' sums.
entry pairs [m][d] (w: [m][d]f32) : [m][d]f32 =
  vjp (\w -> f32.sum (tabulate m (\i -> f32.sum (tabulate m (\j -> f32.sum (map2 (*) w[i] w[j])))))) w 1
