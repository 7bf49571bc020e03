-- MXFP4 quantisation: blocks of 32 share a power-of-two scale, E2M1 codes packed two per byte, then dot products with f16 activations.
def grid : [8]f32 = [0, 0.5, 1, 1.5, 2, 3, 4, 6]

def encode (x: f32) : u8 =
  let a = f32.abs x
  let c = u8.bool (a > 0.25) + u8.bool (a > 0.75) + u8.bool (a > 1.25) + u8.bool (a > 1.75)
          + u8.bool (a > 2.5) + u8.bool (a > 3.5) + u8.bool (a > 5)
  in if x < 0 then c | 8 else c

def decode (c: u8) : f16 =
  let v = f16.f32 grid[i64.u8 (c & 7)] in if c & 8 != 0 then -v else v

def block_exp (xs: [32]f32) : i8 =
  let m = f32.maximum (map f32.abs xs)
  in if m == 0 then -127 else i8.u32 ((f32.to_bits m >> 23) & 255) - 127 - 2

def pow2 (e: i8) : f32 = f32.from_bits (u32.i32 (i32.max 1 (i32.i8 e + 127)) << 23)

entry main [r][b] (w: [r][b][32]f32) (x: [b][32]f16) : ([r][b]i8, [r]u32, [r]f32, f32) =
  let w = map (map (map (\v -> (v - 0.5) * (v + 0.1) * 8))) w
  let pack (blk: [32]f32) =
    let e = block_exp blk
    let s = 1 / pow2 e
    let cs = map (\v -> encode (v * s)) blk
    in (e, map (\i -> cs[2 * i] | (cs[2 * i + 1] << 4)) (iota 16))
  let (exps, codes) = unzip (map (\row -> unzip (map pack row)) w)
  let opened (c: [16]u8) : [32]f16 = flatten (map (\p -> [decode (p & 15), decode (p >> 4)]) c) :> [32]f16
  let y = map2 (\es cs ->
      f32.sum (map3 (\e c xb ->
        let part = f32.sum (map2 (\a v -> f32.f16 (a * v)) (opened c) xb)
        in part * pow2 e) es cs x)) exps codes
  let err = f32.sum (flatten (map3 (\row es cs -> map3 (\blk e c ->
      let s = pow2 e in f32.sum (map2 (\v q -> (v - f32.f16 q * s) ** 2) blk (opened c))) row es cs) w exps codes))
  let sum = map (\cs -> u32.sum (map u32.u8 (flatten cs))) codes
  in (exps, sum, y, f32.sqrt (err / f32.i64 (r * b * 32)))
