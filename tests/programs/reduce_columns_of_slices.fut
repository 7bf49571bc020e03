-- Each point reduces a column that it slices out of an array. Whether it may is found by an earlier map, whose results the reduction reads beside
-- its elements, and which take no memory.
-- ==
-- entry: columns
-- input { [[[[1,2,3],[4,5,6]],[[7,8,9],[1,5,2]],[[3,9,4],[8,8,1]]],[[[0,1,2],[9,4,7]],[[5,5,5],[2,6,3]],[[6,0,7],[1,2,4]]]] [[1,10],[0,-5]] [100,200] }
-- output { [[[[106,108,108],[205,204,206]],[[97,99,99],[196,195,197]]],[[[108,108,106],[209,206,207]],[[113,113,111],[214,211,212]]]] }
-- compiled random input { [3][257][2][5]i32 [2][2]i32 [3]i32 } auto output
-- compiled random input { [2][3][31][40]i32 [31][3]i32 [2]i32 } auto output
-- input { empty([2][3][0][4]i32) empty([0][1]i32) [1,2] } output { empty([0][1][2][4]i32) }

entry columns [n] [m] [k] [l] [h] (cube: [k][l][n][m]i32) (starts: [n][h]i32) (bias: [k]i32) : [n][h][k][m]i32 =
  map2 (\row i ->
          tabulate h (\s ->
            tabulate k (\c ->
              tabulate m (\j ->
                let column = cube[c, :, i, j]
                in reduce i32.max i32.lowest (tabulate l (\e -> column[e] - row[s])) + bias[c]))))
       starts (iota n)
