-- Kernels use scalars computed on the host, and scalars read back from earlier kernels.
-- ==
-- input { [3, 1, 2] 10 } output { [70, 50, 60] }
-- input { [5] -1 } output { [-9] }

entry main [n] (xs: [n]i32) (k: i32) : [n]i32 =
  let doubled = map (* k) xs
  let first = doubled[0]
  let offset = if first > 0 then first + k else first - k
  in map (\x -> x + offset) doubled
