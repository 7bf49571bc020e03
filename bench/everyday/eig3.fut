-- Largest eigenvalue of symmetric 3x3 matrices (Hessian of a volume, say).
entry main [n] (a: [n][6]f32) : [n]f32 =
  map (\m ->
    let (xx,yy,zz,xy,xz,yz) = (m[0],m[1],m[2],m[3],m[4],m[5])
    let q = (xx+yy+zz)/3
    let p1 = xy*xy+xz*xz+yz*yz
    let p2 = (xx-q)*(xx-q)+(yy-q)*(yy-q)+(zz-q)*(zz-q)+2*p1
    let p = f32.sqrt (p2/6) + 1e-9
    let (b0,b1,b2,b3,b4,b5) = ((xx-q)/p,(yy-q)/p,(zz-q)/p,xy/p,xz/p,yz/p)
    let r = (b0*(b1*b2-b5*b5) - b3*(b3*b2-b5*b4) + b4*(b3*b5-b1*b4))/2
    in q + 2*p*f32.cos (f32.acos (f32.max (-1) (f32.min 1 r))/3)) a
