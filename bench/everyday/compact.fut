-- Keeps what is above a bound, in order, with where it was.
entry main [n] (t: f32) (xs: [n]f32) : ([]i64, []f32) = unzip (filter (\(_, x) -> x > t) (zip (iota n) xs))
