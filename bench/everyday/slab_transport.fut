-- Photons through a scattering slab: random flights with anisotropic scattering until absorbed or out; tallies per depth.
type fate = #inside | #reflected | #transmitted | #absorbed i64

def next (s: u64) : (u64, f32) =
  let s = s ^ (s << 13)
  let s = s ^ (s >> 7)
  let s = s ^ (s << 17)
  in (s, (f32.u64 (s >> 41) + 0.5) / 8388608)

def henyey (g: f32) (u: f32) : f32 =
  if f32.abs g < 1e-3 then 2 * u - 1
  else
    let q = (1 - g * g) / (1 - g + 2 * g * u)
    in f32.max (-1) (f32.min 1 ((1 + g * g - q * q) / (2 * g)))

def main [n] (bins: i64) (thick: f32) (albedo: f32) (g: f32) (seeds: [n]u64) : (f32, f32, [bins]f32, f32) =
  let fly (seed: u64) : (fate, i32) =
    let start: fate = #inside
    let (_, _, _, fate, hops) =
      loop (s, z, mu, fate, hops) = ((seed << 1) | 1, 0f32, 1f32, start, 0i32)
      while (match fate case #inside -> hops < 2000 case _ -> false) do
        let (s, u) = next s
        let z = z - mu * f32.log u
        in if z < 0 then (s, z, mu, #reflected, hops + 1)
           else if z >= thick then (s, z, mu, #transmitted, hops + 1)
           else
             let (s, u) = next s
             in if u > albedo
                then (s, z, mu, #absorbed (i64.min (bins - 1) (i64.f32 (z / thick * f32.i64 bins))), hops + 1)
                else
                  let (s, u) = next s
                  let (s, v) = next s
                  let ct = henyey g u
                  let st = f32.sqrt (f32.max 0 ((1 - ct * ct) * (1 - mu * mu)))
                  in (s, z, mu * ct + st * f32.cos (2 * f32.pi * v), #inside, hops + 1)
    in (fate, hops)
  let (fates, hops) = unzip (map fly seeds)
  let where' (f: fate) : i64 =
    match f
    case #absorbed b -> b
    case #reflected -> bins
    case #transmitted -> bins + 1
    case #inside -> -1
  let tally = hist (+) 0 (bins + 2) (map where' fates) (replicate n 1i32)
  let frac c = f32.i32 c / f32.i64 n
  in (frac tally[bins], frac tally[bins + 1], map frac (take bins tally), f32.i64 (i64.sum (map i64.i32 hops)) / f32.i64 n)
