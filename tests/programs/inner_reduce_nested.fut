-- Three reductions inside one another in every thread, over a window of the input.
-- ==
-- input { [[[1, 2, 3], [4, 5, 6], [7, 8, 9]], [[1, 0, 1], [0, 1, 0], [1, 0, 1]]] 2i64 } output { [[14, 18], [26, 30]] }
-- input { [[[1, 2], [3, 4]]] 1i64 } output { [[1, 2], [3, 4]] }
-- input { empty([0][3][3]i32) 2i64 } output { [[0, 0], [0, 0]] }
-- input { [[[1, 2], [3, 4]]] 3i64 } output { empty([0][0]i32) }
-- compiled random input { [3][17][19]i32 5i64 } auto output

entry main [c] [h] [w] (img: [c][h][w]i32) (k: i64) : [][]i32 =
  let h' = i64.max 0 (h - k + 1)
  let w' = i64.max 0 (w - k + 1)
  in tabulate h' (\y ->
       #[sequential_inner] tabulate w' (\x ->
         i32.sum (tabulate c (\z ->
           i32.sum (tabulate k (\i -> i32.sum (tabulate k (\j -> img[z, y + i, x + j]))))))))
