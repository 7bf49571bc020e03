-- Points of a row run through rows that follow from their own row alone: a block of threads has points of one row and stages the others. Short
-- rows are left to threads by themselves.
-- ==
-- input { [[1], [0]] [[1, 2, 3], [4, 5, 6]] } output { [[97, 137, 177], [178, 218, 258]] }
-- input { empty([0][2]i32) empty([0][40]i32) } output { empty([0][40]i32) }
-- input { [[0], [1]] empty([2][0]i32) } output { empty([2][0]i32) }
-- compiled random input { [5][4]i32 [5][100]i32 } auto output
-- compiled random input { [3][1]i32 [3][256]i32 } auto output
-- compiled random input { [2][2]i32 [2][301]i32 } auto output
-- compiled random input { [7][3]i32 [7][33]i32 } auto output
-- compiled random input { [7][3]i32 [7][32]i32 } auto output

def main [n] [m] [k] (others: [n][k]i32) (rows: [n][m]i32) : [n][m]i32 =
  map2 (\of_row row ->
          map (\x ->
                 loop sum = x
                 for i < k do
                   #[unsafe]
                   let other = if of_row[i] % 2 == 0 then i64.i32 of_row[i] % n else i64.i32 (i32.i64 i + of_row[i]) % n
                   in loop sum for j < m do sum * 3 + rows[other, j] + x)
              row)
       others
       rows
