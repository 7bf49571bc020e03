-- Many Metropolis chains on a banana.
def rand (s: u32) : u32 = let s = s ^ (s << 13) let s = s ^ (s >> 17) in s ^ (s << 5)
def uni (s: u32) : f32 = f32.u32 (s >> 8) / 16777216
def logp (x: f32) (y: f32) : f32 = -(1-x)*(1-x)/2 - 5*(y-x*x)*(y-x*x)
def main [n] (steps: i32) (seeds: [n]u32) : ([n]f32, [n]f32) =
  unzip (map (\s0 ->
    let (_, x, y, _) = loop (s, x, y, l) = (s0 | 1, 0, 0, logp 0 0) for _i < steps do
      let a = rand s let b = rand a let c = rand b
      let nx = x + uni a - 0.5 let ny = y + uni b - 0.5
      let nl = logp nx ny
      in if f32.log (uni c + 1e-9) < nl - l then (c, nx, ny, nl) else (c, x, y, l)
    in (x, y)) seeds)
