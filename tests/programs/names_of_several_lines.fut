-- The host compiler names what a lambda is applied to after the lambda's text, which it breaks into lines.
-- ==
-- entry: positive
-- input { [1.0, -2.0] } output { true }
-- input { [-1.0, -2.0] } output { false }

entry positive [n] (xs: [n]f64) : bool = loop _a = false for i < n do if n > 0 then (\x -> x > 0) xs[i * 2 % n] else true
