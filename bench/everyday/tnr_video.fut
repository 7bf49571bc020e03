-- Motion-adaptive temporal noise reduction of an RGB video (u8, interleaved): recursive blend whose weight comes from 3x3 luma differences.
def luma (p: [3]u8) : i32 = (77 * i32.u8 p[0] + 150 * i32.u8 p[1] + 29 * i32.u8 p[2]) >> 8

entry main [t][h][w] (strength: i32) (video: [t][h][w][3]u8) : *[t][h][w][3]u8 =
  let cl n i = i64.max 0 (i64.min (n-1) i)
  let step (prev: [h][w][3]u8) (cur: [h][w][3]u8) : [h][w][3]u8 =
    let diff = map2 (map2 (\p q -> luma p - luma q)) cur prev
    let motion = tabulate_2d h w (\y x ->
      let s = loop s = 0i32 for k < 9 do s + diff[cl h (y + k/3 - 1), cl w (x + k%3 - 1)]
      in i32.abs s / 9)
    in map3 (map3 (\m p q ->
         let a = i32.max 32 (i32.min 256 (32 + m * strength))     -- out of 256: weight of the new pixel
         in map2 (\c o -> u8.i32 ((a * i32.u8 c + (256-a) * i32.u8 o + 128) >> 8)) p q)) motion cur prev
  in loop out = copy video for k in 1..<t do
       let f = step out[k-1] out[k]
       in out with [k] = f
