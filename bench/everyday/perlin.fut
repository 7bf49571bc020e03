def grad (h: u32) (x: f32) (y: f32) = let h = h & 7 in (if h < 4 then x else y)*(if h & 1 == 0 then 1 else -1) + (if h < 4 then y else x)*(if h & 2 == 0 then 0.5 else -0.5)
def hash2 (x: i32) (y: i32) : u32 = let h = u32.i32 x * 374761393 + u32.i32 y * 668265263 let h = (h ^ (h >> 13)) * 1274126177 in h ^ (h >> 16)
entry main (h: i64) (w: i64) (octaves: i32) : [h][w]f32 =
  tabulate_2d h w (\y x ->
    (loop (s, amp, f) = (0f32, 1f32, 0.01f32) for _o < octaves do
      let px = f32.i64 x*f let py = f32.i64 y*f
      let ix = i32.f32 (f32.floor px) let iy = i32.f32 (f32.floor py)
      let fx = px - f32.i32 ix let fy = py - f32.i32 iy
      let u = fx*fx*(3-2*fx) let v = fy*fy*(3-2*fy)
      let a = grad (hash2 ix iy) fx fy let b = grad (hash2 (ix+1) iy) (fx-1) fy
      let c = grad (hash2 ix (iy+1)) fx (fy-1) let d = grad (hash2 (ix+1) (iy+1)) (fx-1) (fy-1)
      in (s + amp*((1-v)*((1-u)*a+u*b) + v*((1-u)*c+u*d)), amp*0.5, f*2)).0)
