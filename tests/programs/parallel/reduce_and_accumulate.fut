-- A reduction whose kernel also updates accumulators: each update must happen once, however often an element is computed.
-- ==
-- input { [1, 2, 3] [[1, 1, 1], [0, 2, 0], [3, 3, 3]] } output { [16, 18, 28] }
-- input { empty([0]i32) empty([0][0]i32) } output { empty([0]i32) }

-- Each number is in a row and in a column of the table of products.
def products [n] (xs: [n]i32) : [n][n]i32 = map (\x -> map (* x) xs) xs

entry main [n] (xs: [n]i32) (weights: [n][n]i32) : [n]i32 = vjp products xs weights
