-- A linear recurrence by a scan of two-by-two matrices.
type m2 = (f32, f32, f32, f32)
def mul ((a,b,c,d): m2) ((e,f,g,h): m2) : m2 = (e*a+f*c, e*b+f*d, g*a+h*c, g*b+h*d)
def main [n] (xs: [n]f32) : [n]f32 =
  map (\(a,b,_,_) -> a + b) (scan mul (1,0,0,1) (map (\x -> (0.5*x, 0.3, 0.7, 0)) xs))
