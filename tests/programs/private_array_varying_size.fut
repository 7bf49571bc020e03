-- Arrays whose size differs from thread to thread, and is large for some: their elements are computed where they are read.
-- ==
-- entry: sums
-- input { [0i64, 1i64, 2i64, 5i64, 1000i64] } output { [0i64, 0i64, 0i64, 20i64, 3002i64] }

-- ==
-- entry: pairs
-- input { [3i64, 1i64] [10i64, 20i64] } output { [13i64, 21i64] [12i64, 21i64] }

-- Of pairs of elements as far from the two ends.
entry sums (ns: []i64) : []i64 =
  map (\n -> let xs = #[opaque] map (\i -> i * i % 7) (iota n)
             in #[unsafe] i64.sum (map (\i -> xs[i] * xs[n - 1 - i]) (iota n)))
      ns

entry pairs [n] (sizes: [n]i64) (xs: [n]i64) =
  map2 (\k x -> let (ys, zs) = #[opaque] unzip (map (\i -> (i + x, k - i)) (iota k))
                in #[unsafe] (ys[k - 1] + zs[k - 1], ys[0] + zs[k / 2]))
       sizes xs
  |> unzip
