-- Sudoku grids marked: how many digits are wrong in rows, columns and boxes, and how many grids are not all wrong.
def missing (ds: [9]u8) : i32 =
  9 - i32.u16 (u16.i32 (u16.popc (reduce (|) 0u16 (map (\d -> 1 << u16.u8 d) ds))))

entry main [n] (grids: [n][9][9]u8) : ([n][3]i32, i64) =
  let boxes (g: [9][9]u8) =
    tabulate_2d 9 9 (\b k -> g[b / 3 * 3 + k / 3, b % 3 * 3 + k % 3])
  let mark grid =
    let g = map (map (% 9)) grid
    in [i32.sum (map missing g), i32.sum (map missing (transpose g)), i32.sum (map missing (boxes g))]
  let marks = map mark grids
  in (marks, i64.sum (map (\m -> i64.bool (all (< 20) m)) marks))
