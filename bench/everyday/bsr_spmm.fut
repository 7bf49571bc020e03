-- Block sparse rows: a matrix of 4x4 blocks in half precision times several right-hand sides.
def B = 4i64

def offsets [r] (lens: [r]u8) : [r + 1]i64 =
  let s = scan (+) 0 (map (\l -> i64.u8 (l & 15)) lens)
  in tabulate (r + 1) (\i -> if i == 0 then 0 else s[i - 1])

entry main [r] [k] [c] [p] (lens: [r]u8) (cols: [k]i32) (blocks: [k][B][B]f16) (x: [c][B][p]f32) : ([r][p][B]f32, i64) =
  let ptr = offsets lens
  let block_row i =
    let (from, to) = (ptr[i], ptr[i + 1])
    let one j =
      loop acc = replicate B 0f32 for q in from..<to do
        let q' = q % k
        let col = i64.i32 (cols[q'] & 0x7fffffff) % c
        let a = blocks[q']
        let xs = x[col, :, j]
        in map2 (\s row -> s + f32.sum (map2 (\u v -> f32.f16 u * v) row xs)) acc a
    in map one (iota p)
  in (map block_row (iota r), ptr[r])
