-- MD5 digests of many 64-byte messages (one data block and the padding block each).
type state = {a: u32, b: u32, c: u32, d: u32}

def rotl (x: u32) (s: u32) = (x << s) | (x >> (32 - s))

def sines : [64]u32 =
  tabulate 64 (\i -> u32.i64 (i64.f64 (f64.abs (f64.sin (f64.i64 (i + 1))) * 4294967296)))

def shifts : [4][4]u32 = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]]

def add (x: state) (y: state) : state = {a = x.a + y.a, b = x.b + y.b, c = x.c + y.c, d = x.d + y.d}

def block (h: state) (w: [16]u32) : state =
  add h (loop {a, b, c, d} = h for i < 64 do
           let (f, g) =
             if i < 16 then ((b & c) | (!b & d), i)
             else if i < 32 then ((d & b) | (!d & c), (5 * i + 1) % 16)
             else if i < 48 then (b ^ c ^ d, (3 * i + 5) % 16)
             else (c ^ (b | !d), (7 * i) % 16)
           in {a = d, b = b + rotl (a + f + sines[i] + w[g]) shifts[i / 16, i % 4], c = b, d = c})

def padding : [16]u32 = tabulate 16 (\i -> if i == 0 then 0x80 else if i == 14 then 512 else 0)

def main [n] (msgs: [n][64]u8) : ([n][4]u32, u32) =
  let start: state = {a = 0x67452301, b = 0xefcdab89, c = 0x98badcfe, d = 0x10325476}
  let word (m: [64]u8) i =
    u32.u8 m[4 * i] | (u32.u8 m[4 * i + 1] << 8) | (u32.u8 m[4 * i + 2] << 16) | (u32.u8 m[4 * i + 3] << 24)
  let digests =
    map (\m ->
           let h = block (block start (tabulate 16 (word m))) padding
           in [h.a, h.b, h.c, h.d])
        msgs
  in (digests, reduce (^) 0 (map (\d -> d[0] + d[3]) digests))
