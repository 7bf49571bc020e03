-- The mathematical functions of f32, each in a thread.
-- ==
-- entry: exponentials
-- input { [0.5f32, 1.0f32, 2.0f32] }
-- output {
--   [1.648721f32, 2.718282f32, 7.389056f32]
--   [-0.693147f32, 0.0f32, 0.693147f32]
--   [-1.0f32, 0.0f32, 1.0f32]
--   [-0.30103f32, 0.0f32, 0.30103f32]
--   [0.405465f32, 0.693147f32, 1.098612f32]
--   [0.707107f32, 1.0f32, 1.414214f32]
--   [0.793701f32, 1.0f32, 1.259921f32]
-- }

-- ==
-- entry: trigonometry
-- input { [-0.5f32, 0.0f32, 0.75f32] }
-- output {
--   [-0.479426f32, 0.0f32, 0.681639f32]
--   [0.877583f32, 1.0f32, 0.731689f32]
--   [-0.546302f32, 0.0f32, 0.931596f32]
--   [-0.523599f32, 0.0f32, 0.848062f32]
--   [2.094395f32, 1.570796f32, 0.722734f32]
--   [-0.463648f32, 0.0f32, 0.643501f32]
--   [-0.462117f32, 0.0f32, 0.635149f32]
-- }

-- ==
-- entry: hyperbolic
-- input { [0.25f32, 0.5f32] }
-- output {
--   [0.252612f32, 0.521095f32]
--   [1.031413f32, 1.127626f32]
--   [0.244919f32, 0.462117f32]
--   [0.247466f32, 0.481212f32]
--   [0.255413f32, 0.549306f32]
-- }

-- ==
-- entry: two_arguments
-- input { [3.0f32, -1.0f32, 2.0f32] [4.0f32, 2.0f32, 0.5f32] }
-- output {
--   [0.643501f32, -0.463648f32, 1.325818f32]
--   [5.0f32, 2.236068f32, 2.061553f32]
--   [81.0f32, 1.0f32, 1.414214f32]
--   [3.0f32, 1.0f32, 2.0f32]
--   [3.0f32, -1.0f32, 0.0f32]
-- }

-- ==
-- entry: special
-- input { [0.5f32, 3.0f32] }
-- output { [1.772454f32, 2.0f32] [0.572365f32, 0.693147f32] [0.5205f32, 0.999978f32] [0.4795f32, 0.000022f32] }

entry exponentials [n] (xs: [n]f32) : ([n]f32, [n]f32, [n]f32, [n]f32, [n]f32, [n]f32, [n]f32) =
  ( map f32.exp xs, map f32.log xs, map f32.log2 xs, map f32.log10 xs, map f32.log1p xs, map f32.sqrt xs, map f32.cbrt xs)

entry trigonometry [n] (xs: [n]f32) : ([n]f32, [n]f32, [n]f32, [n]f32, [n]f32, [n]f32, [n]f32) =
  (map f32.sin xs, map f32.cos xs, map f32.tan xs, map f32.asin xs, map f32.acos xs, map f32.atan xs, map f32.tanh xs)

entry hyperbolic [n] (xs: [n]f32) : ([n]f32, [n]f32, [n]f32, [n]f32, [n]f32) =
  (map f32.sinh xs, map f32.cosh xs, map f32.tanh xs, map f32.asinh xs, map f32.atanh xs)

entry two_arguments [n] (xs: [n]f32) (ys: [n]f32) : ([n]f32, [n]f32, [n]f32, [n]f32, [n]f32) =
  (map2 f32.atan2 xs ys, map2 f32.hypot xs ys, map2 (\x y -> f32.abs x ** y) xs ys, map2 f32.copysign xs ys, map2 (%) xs ys)

entry special [n] (xs: [n]f32) : ([n]f32, [n]f32, [n]f32, [n]f32) =
  (map f32.gamma xs, map f32.lgamma xs, map f32.erf xs, map f32.erfc xs)
