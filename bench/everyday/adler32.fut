-- Adler-32 of one long buffer by an associative reduction, and of all of its prefixes at block ends by a scan.
module adler = {
  type t = {a: u64, b: u64, len: u64}
  def p : u64 = 65521
  def one (x: u8) : t = {a = u64.u8 x, b = u64.u8 x, len = 1}
  def neutral : t = {a = 0, b = 0, len = 0}
  def op (x: t) (y: t) : t =
    {a = (x.a + y.a) % p, b = (x.b + y.b + x.a * y.len) % p, len = (x.len + y.len) % p}
  def finish (x: t) : u32 =
    let a = (1 + x.a) % p
    let b = (x.b + x.len) % p
    in u32.u64 ((b << 16) | a)
}

entry main [n] (block: i64) (buf: [n]u8) : (u32, []u32) =
  let nb = n / block
  let blocks = unflatten (buf[0:nb * block] :> [nb * block]u8)
  let parts = map (\bs -> reduce adler.op adler.neutral (map adler.one bs)) blocks
  let ends = scan adler.op adler.neutral parts
  let rest = reduce adler.op adler.neutral (map adler.one buf[nb * block:])
  let before = if nb == 0 then adler.neutral else last ends
  in (adler.finish (adler.op before rest), map adler.finish ends)
