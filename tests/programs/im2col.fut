-- Convolution as a matrix product: every window becomes a row.
-- ==
-- input { [[1, 2, 3], [4, 5, 6], [7, 8, 9]] [[[1, 0], [0, 1]], [[0, 1], [1, 0]]] }
-- output { [[[6, 8], [12, 14]], [[6, 8], [12, 14]]] }
-- input { [[1]] [[[5]]] } output { [[[5]]] }
-- compiled random input { [19][23]i32 [3][4][5]i32 } auto output

def im2col [h] [w] (kh: i64) (kw: i64) (img: [h][w]i32) : [(h - kh + 1) * (w - kw + 1)][kh * kw]i32 =
  flatten (tabulate_2d (h - kh + 1) (w - kw + 1) (\y x -> flatten (img[y:y + kh, x:x + kw] :> [kh][kw]i32)))

entry main [h] [w] [o] [kh] [kw] (img: [h][w]i32) (filters: [o][kh][kw]i32) : [o][][]i32 =
  let rows = im2col kh kw img
  let products = map (\f -> #[sequential_inner] map (\row -> i32.sum (map2 (*) row f)) rows) (map flatten filters)
  in map unflatten products
