-- Quantised normalised min-sum decoding of frames of a (3,6) quasi-cyclic array LDPC code; stops a frame's changes when its checks hold.
def cols : i64 = 6
def rows : i64 = 3

def decode [q] (iters: i32) (llr: [cols][q]i32) : ([cols][q]i8, i32) =
  -- check (r, s) touches, in column block j, the bit (s - r*j) mod q
  let bit (r: i64) (s: i64) (j: i64) = (s + r * (q - j % q)) % q
  let hard (post: [cols][q]i32) = map (map (\x -> i8.bool (x < 0))) post
  let unsatisfied (h: [cols][q]i8) : i32 =
    i32.sum (flatten (tabulate_2d rows q (\r s ->
      i32.i8 (loop p = 0 for j < cols do p ^ h[j, bit r s j]))))
  let posterior (m: [rows][q][cols]i32) : [cols][q]i32 =
    tabulate_2d cols q (\j i -> loop a = llr[j, i] for r < rows do a + m[r, (i + r * j) % q, j])
  let (_, post, it) =
    loop (m, post, it) = (replicate rows (replicate q (replicate cols 0)), llr, 0)
    while it < iters && unsatisfied (hard post) > 0 do
      let m' = tabulate_2d rows q (\r s ->
        let vin = tabulate cols (\j -> post[j, bit r s j] - m[r, s, j])
        let (m1, m2, at, sg) =
          loop (m1, m2, at, sg) = (1000i32, 1000i32, -1, false) for j < cols do
            let a = i32.abs vin[j]
            let sg = sg != (vin[j] < 0)
            in if a < m1 then (a, m1, j, sg) else (m1, i32.min a m2, at, sg)
        in tabulate cols (\j ->
             let mag = 3 * (if j == at then m2 else m1) / 4
             in if sg != (vin[j] < 0) then -mag else mag))
      in (m', posterior m', it + 1)
  in (hard post, it)

def main [n][q] (iters: i32) (noise: [n][cols][q]u8) : ([n][cols][q]i8, [n]i32) =
  unzip (map (\fr -> decode iters (map (map (\u -> (i32.u8 u - 30) / 8)) fr)) noise)
