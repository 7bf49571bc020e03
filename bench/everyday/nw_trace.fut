-- Global alignment of many read pairs with traceback: matches, mismatches, gaps and the edit script as run-packed bytes.
def align [m] (a: [m]u8) (b: [m]u8) : (i32, i32, i32, [m]u8) =
  let w = m + 1
  let dirs = replicate (w * w) 0u8
  let dirs = loop dirs for k < m do dirs with [k + 1] = 2 with [(k + 1) * w] = 1
  let row = tabulate w (\j -> i32.i64 (-2 * j))
  let (dirs, _) =
    loop (dirs, row) for i < m do
      let diag0 = row[0]
      let row[0] = i32.i64 (-2 * (i + 1))
      let (dirs, row, _) =
        loop (dirs, row, diag) = (dirs, row, diag0) for j < m do
          let up = row[j + 1]
          let s = diag + (if a[i] == b[j] then 2 else -1)
          let (best, d) = if s >= up - 2 then (s, 0u8) else (up - 2, 1)
          let (best, d) = if row[j] - 2 > best then (row[j] - 2, 2) else (best, d)
          in (dirs with [(i + 1) * w + j + 1] = d, row with [j + 1] = best, up)
      in (dirs, row)
  let ops = replicate m 0u8
  let (_, _, ma, mi, ga, ops) =
    loop (i, j, ma, mi, ga, ops) = (m, m, 0, 0, 0, ops) while i > 0 || j > 0 do
      let d = dirs[i * w + j]
      let ops = if i > 0 then ops with [i - 1] = ops[i - 1] * 3 + d + 1 else ops
      in if d == 0
         then if a[i - 1] == b[j - 1] then (i - 1, j - 1, ma + 1, mi, ga, ops)
              else (i - 1, j - 1, ma, mi + 1, ga, ops)
         else if d == 1 then (i - 1, j, ma, mi, ga + 1, ops)
         else (i, j - 1, ma, mi, ga + 1, ops)
  in (ma, mi, ga, ops)

def main [n][m] (ref: [n][m]u8) (noise: [n][m]u8) : ([n]i32, [n]i32, [n]i32, [n][m]u8) =
  let letters = "ACGT"
  let base (x: u8) : u8 = letters[i64.u8 (x & 3)]
  let a = map (map base) ref
  let b = map2 (\r e -> tabulate m (\j ->
            let sh = if e[0] > 128 && j > m / 2 then j - 1 else j
            in if e[j] < 25 then base (e[j]) else base (r[sh]))) ref noise
  in unzip4 (map2 align a b)
