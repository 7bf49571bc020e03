-- The bits of floats as integers, and floats from bits.
-- ==
-- entry: out
-- input { [1.0f32, -0.0f32, 0.1f32] } output { [1065353216u32, 2147483648u32, 1036831949u32] }

-- ==
-- entry: into
-- input { [1065353216u32, 2143289344u32, 4286578688u32] } output { [1.0f32, f32.nan, -f32.inf] }

-- ==
-- entry: wide
-- input { [1.0f64, -2.0f64] } output { [4607182418800017408u64, 13835058055282163712u64] [1.0f64, -2.0f64] }

-- ==
-- entry: exponents
-- input { [8.0f64, 0.75f64] [3, -2] } output { [64.0f64, 0.1875f64] }

entry out [n] (xs: [n]f32) : [n]u32 = map f32.to_bits xs

entry into [n] (xs: [n]u32) : [n]f32 = map f32.from_bits xs

entry wide [n] (xs: [n]f64) : ([n]u64, [n]f64) = (map f64.to_bits xs, map (f64.to_bits >-> f64.from_bits) xs)

entry exponents [n] (xs: [n]f64) (es: [n]i32) : [n]f64 = map2 f64.ldexp xs es
