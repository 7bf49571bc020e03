-- Batched Cholesky factorisation of symmetric banded matrices and the solution of one system each.
-- Row i of the band holds A[i,i-b..i]; the diagonal is made dominant.
def factor [n][w] (band: [n][w]f32) : *[n][w]f32 =
  let b = w - 1
  in loop l = copy band for i < n do
       loop l = l for c < w do
         let j = i - b + c
         in if j < 0 then l
            else
              let s = loop s = l[i, c] for k in i64.max 0 (i - b)..<j do
                        if k < j - b then s else s - l[i, k - i + b] * l[j, k - j + b]
              let value = if j == i then f32.sqrt s else s / l[j, b]
              in l with [i, c] = value

def solve [n][w] (l: [n][w]f32) (rhs: [n]f32) : [n]f32 =
  let b = w - 1
  let y = loop y = copy rhs for i < n do
            let s = loop s = y[i] for k in i64.max 0 (i - b)..<i do s - l[i, k - i + b] * y[k]
            in y with [i] = s / l[i, b]
  in loop y for r < n do
       let i = n - 1 - r
       let s = loop s = y[i] for k in i + 1..<i64.min n (i + b + 1) do s - l[k, i - k + b] * y[k]
       in y with [i] = s / l[i, b]

entry main [m][n][w] (bands: [m][n][w]f32) (rhs: [m][n]f32) : ([m][n]f32, [m]f32) =
  let run band r =
    let a = map (\row -> map2 (\c v -> if c == w - 1 then v + f32.i64 (2 * w) else v - 0.5) (iota w) row) band
    let l = factor a
    in (solve l r, f32.sum (map (\row -> 2 * f32.log row[w - 1]) l))
  in unzip (map2 run bands rhs)
