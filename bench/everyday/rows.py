"""The rows that are measured (as bench/suite/rows.py has them): each program with large data and small, of Futhark's random numbers.

usage: rows.py programs|files [PART...]      names of what `prepare` needs, of programs with a PART in their name
"""
import sys

M = 1_000_000
ROWS = []
f = 'f32'


def r(*values):
    return ("rnd", *values)


def v(type_name, *shape):
    return (type_name, shape)


def add(name, label, large, small):
    ROWS.append((name, [('main', label, large, small)]))


def both(name, label, make, large, small):
    add(name, label, make(*large), make(*small))


def image(name, make, large=(4096, 4096), small=(45, 37)):
    both(name, '%dx%d' % large, make, large, small)


image('guided', lambda h, w: r(0.01, v(f, h, w), v(f, h, w)))
image('dog', lambda h, w: r(v('u8', h, w)))
image('morph', lambda h, w: r(v('u8', h, w)))
image('gray_scott', lambda h, w: r(50, 0.04, 0.06, v(f, h, w), v(f, h, w)), (2048, 2048))
image('wave', lambda h, w: r(50, 0.2, v(f, h, w), v(f, h, w)), (2048, 2048))
image('fdtd', lambda h, w: r(v(f, 50), v(f, h, w), v(f, h, w), v(f, h, w)), (2048, 2048))
image('lbm', lambda h, w: r(20, 1.2, v(f, 9, h, w)), (1024, 2048))
image('perona', lambda h, w: r(20, 0.3, v(f, h, w)), (2048, 2048))
image('equalize', lambda h, w: r(v('u8', h, w)))
image('integral', lambda h, w: r(7, v(f, h, w)))
image('kuwahara', lambda h, w: r(v(f, h, w)))
image('lucas', lambda h, w: r(v(f, h, w), v(f, h, w)), (2048, 2048))
image('tonemap', lambda h, w: r(0.18, v(f, h, w, 3)), (2048, 2048))
image('pyrdown', lambda h, w: r(v(f, h, w)), (4096, 4096), (48, 40))
image('bicubic', lambda h, w: r(2*h+1, 2*w+3, v(f, h, w)), (1080, 1920))
image('rotate_img', lambda h, w: r(0.3, v(f, h, w)))
image('seam', lambda h, w: r(v(f, h, w)), (1080, 1920))
image('life', lambda h, w: r(50, v('u8', h, w)), (2048, 2048))
image('burgers', lambda h, w: r(50, 0.1, v(f, h, w), v(f, h, w)), (2048, 2048))
image('tv', lambda h, w: r(30, 0.5, v(f, h, w)), (2048, 2048))
image('labels', lambda h, w: r(v('u8', h, w)), (512, 512))
image('softmax', lambda h, w: r(v(f, h, w)), (8192, 1024))
image('layernorm', lambda h, w: r(v(f, w), v(f, w), v(f, h, w)), (16384, 768))
add('attention', '12x512x64', r(v(f, 12, 512, 64), v(f, 12, 512, 64), v(f, 12, 512, 64)), r(v(f, 2, 7, 5), v(f, 2, 7, 5), v(f, 2, 7, 5)))
add('depthwise', '64 of 112x112 to 128', r(v(f, 64, 112, 112), v(f, 64, 3, 3), v(f, 128, 64), v(f, 128)), r(v(f, 3, 9, 8), v(f, 3, 3, 3), v(f, 5, 3), v(f, 5)))
add('dilated', '64->64 128x128', r(v(f, 64, 128, 128), v(f, 64, 64, 3, 3)), r(v(f, 3, 9, 11), v(f, 4, 3, 3, 3)))
add('conv1d', '16 of 64x4096 to 128 by 9', r(v(f, 16, 64, 4096), v(f, 128, 64, 9)), r(v(f, 2, 3, 20), v(f, 4, 3, 5)))
add('conv3d', '256x256x256', r(v(f, 256, 256, 256), v(f, 3, 3, 3)), r(v(f, 7, 8, 9), v(f, 3, 3, 3)))
add('convt', '128 of 64x64 to 64', r(v(f, 128, 64, 64), v(f, 128, 64, 4, 4)), r(v(f, 3, 5, 6), v(f, 3, 2, 4, 4)))
add('batchnorm', '32x64x56x56', r(1e-5, v(f, 32, 64, 56, 56)), r(1e-5, v(f, 3, 4, 5, 6)))
add('maxpool', '32x64x112x112', r(v(f, 32, 64, 112, 112)), r(v(f, 2, 3, 8, 6)))
add('mlp', '4096: 784-512-256-10', r(v(f, 4096, 784), v(f, 512, 784), v(f, 512), v(f, 256, 512), v(f, 256), v(f, 10, 256), v(f, 10)),
    r(v(f, 9, 8), v(f, 7, 8), v(f, 7), v(f, 6, 7), v(f, 6), v(f, 5, 6), v(f, 5)))
add('spmv', '20M in 1M', r(v('i32', 20*M), v('i32', 20*M), v(f, 20*M), v(f, M)), r(v('i32', 300), v('i32', 300), v(f, 300), v(f, 40)))
image('floyd', lambda h, w: r(v(f, h, w)), (1024, 1024), (31, 31))
add('knapsack', '200 of 1M', r(M, v('u8', 200), v('u8', 200)), r(300, v('u8', 9), v('u8', 9)))
add('smith', '8192', r(v('u8', 8192), v('u8', 8192)), r(v('u8', 40), v('u8', 40)))
add('kmeans', '200K x 16, 32', r(32, 10, v(f, 200000, 16)), r(4, 3, v(f, 90, 3)))
image('cg', lambda h, w: r(30, v('f64', h, w)), (1024, 1024))
add('montecarlo', '1M x 64', r(M, 64), r(300, 7))
add('match', '64M, 16', r(v('u8', 64*M), v('u8', 16)), r(v('u8', 3000), v('u8', 3)))
add('compact', '32M', r(0.5, v(f, 32*M)), r(0.5, v(f, 700)))
add('lev', '100K x 32', r(v('u8', 100000, 32), v('u8', 100000, 32)), r(v('u8', 30, 9), v('u8', 30, 9)))
add('gauss_elim', '1024', r(v(f, 1024, 1024), v(f, 1024)), r(v(f, 23, 23), v(f, 23)))
add('power', '4096', r(50, v(f, 4096, 4096)), r(5, v(f, 33, 33)))
add('heat3', '256^3', r(20, v(f, 256, 256, 256), v(f, 256, 256, 256)), r(5, v(f, 9, 11, 10), v(f, 9, 11, 10)))
add('mandel', '2048x2048', r(2048, 2048, 256), r(33, 45, 50))
add('covariance', '4096x512', r(v(f, 4096, 512)), r(v(f, 41, 23)))
image('median', lambda h, w: r(v('u8', h, w)), (2048, 2048))
image('harris_st', lambda h, w: r(v('u8', h, w)))
add('sort_rows', '20000 x 128', r(v('i32', 20000, 128)), r(v('i32', 20, 13)))
image('dist', lambda h, w: r(v('u8', h, w)), (2048, 2048))
both('logreg', '200000 x 64', lambda n, d: r(20, 0.1, v(f, n, d), v(f, n)), (200000, 64), (50, 5))
both('pairdist', '4096x4096x64', lambda n, m, d: r(v(f, n, d), v(f, m, d)), (4096, 4096, 64), (9, 8, 5))
both('cosine', '4096x256', lambda n, d: r(v(f, n, d)), (4096, 256), (9, 5))
both('knn', '8192 of 8192 x 8', lambda n, m, d: r(v(f, n, d), v(f, m, d)), (8192, 8192, 8), (9, 20, 3))
both('thomas', '65536 x 128', lambda n, m: r(*[v(f, n, m)]*4), (65536, 128), (9, 12))
both('cholesky', '1024', lambda n: r(v(f, n, n)), (1024,), (13,))
both('gram_schmidt', '4096x256', lambda n, m: r(v(f, n, m)), (4096, 256), (15, 6))
both('fft1d', '4096 of 1024', lambda n, b: r(b, v(f, n, 1 << b)), (4096, 10), (3, 4))
both('dct', '4096x4096', lambda h, w: r(10.0, v('u8', h, w)), (4096, 4096), (19, 25))
both('haar', '8192x1024', lambda n, m: r(6, v(f, n, m)), (8192, 1024), (5, 64))
both('rle', '32M', lambda n: r(v('u8', n)), (32*M,), (777,))
both('topk', '20000x1000', lambda n, m: r(v(f, n, m)), (20000, 1000), (7, 31))
both('movavg', '16M', lambda n: r(100, v('f64', n)), (16*M,), (400,))
both('hist2d', '32M in 256x256', lambda n, b: r(b, v(f, n), v(f, n)), (32*M, 256), (700, 9))
both('hough', '1024x1024, 180x1024', lambda h, w: r(180, 1024, v('u8', h, w)), (1024, 1024), (20, 30))
both('sieve', '4M', lambda n: r(n), (4*M,), (1000,))
both('collatz', '4M', lambda n: r(n), (4*M,), (1000,))
both('hashing', '1M x 64', lambda n, m: r(v('u8', n, m)), (M, 64), (20, 9))
both('wordcount', '64M', lambda n: r(v('u8', n)), (64*M,), (900,))
both('lcs', '4096', lambda n: r(v('u8', n), v('u8', n)), (4096,), (60,))
both('viterbi', '512 x 256', lambda t, s: r(v('u8', t), v(f, s, s), v(f, s, 16)), (512, 256), (20, 9))
both('swe', '2048x2048', lambda h, w: r(50, *[v(f, h, w)]*3), (2048, 2048), (19, 23))
both('project', '2048x2048', lambda h, w: r(20, v(f, h, w), v(f, h, w)), (2048, 2048), (19, 23))
both('multigrid', '4096x4096', lambda h, w: r(v(f, h, w)), (4096, 4096), (18, 22))
both('kalman', '65536 x 64', lambda n, t: r(v(f, n, t)), (65536, 64), (20, 9))
both('binomial', '16384 x 256', lambda n, t: r(t, v(f, n), v(f, n)), (16384, 256), (20, 9))
both('eig3', '8M', lambda n: r(v(f, n, 6)), (8*M,), (77,))
both('gru', '32 x 64, 256', lambda t, b, i, h: r(v(f, t, b, i), v(f, h, i), v(f, h, h), v(f, h, i), v(f, h, h), v(f, h, i), v(f, h, h)), (32, 64, 128, 256), (3, 4, 5, 6))
both('embed', '65536 x 32 of 50000x128', lambda n, l, V, d: r(v('i32', n, l), v(f, V, d)), (65536, 32, 50000, 128), (9, 4, 30, 8))
both('conv_s2', '16 64->128 56x56', lambda n, c, h, w, o: r(v(f, n, c, h, w), v(f, o, c, 3, 3), v(f, o)), (16, 64, 57, 57, 128), (2, 3, 9, 11, 4))
both('pool3', '32x64x112x112', lambda n, c, h, w: r(v(f, n, c, h, w)), (32, 64, 112, 112), (2, 3, 9, 8))
both('resblock', '8 x 64 56x56', lambda n, c, h, w: r(v(f, n, c, h, w), v(f, c, c, 3, 3), v(f, c), v(f, c, c, 3, 3), v(f, c)), (8, 64, 56, 56), (2, 3, 9, 8))
both('adam', '32M', lambda n: r(3.0, *[v(f, n)]*4), (32*M,), (99,))
both('axis0', '100000x256', lambda n, m: r(v(f, n, m)), (100000, 256), (31, 7))
both('crossent', '65536x1000', lambda n, k: r(v(f, n, k), v('i32', n)), (65536, 1000), (9, 12))
both('chansoft', '16x21x256x256', lambda n, c, h, w: r(v(f, n, c, h, w)), (16, 21, 256, 256), (2, 3, 5, 7))
both('minmax', '64M', lambda n: r(v(f, n)), (64*M,), (999,))
both('julia', '2048x2048', lambda h, w: r(h, w, -0.7, 0.27), (2048, 2048), (33, 31))
both('perlin', '2048x2048', lambda h, w: r(h, w, 6), (2048, 2048), (33, 31))
both('raysphere', '1024x1024, 100', lambda h, w, s: r(h, w, v(f, s, 4)), (1024, 1024, 100), (13, 17, 9))
both('transp3', '32x64x112x112', lambda n, c, h, w: r(v(f, n, c, h, w)), (32, 64, 112, 112), (2, 3, 5, 7))
both('bitlife', '4096x256', lambda h, w: r(100, v('u32', h, w)), (4096, 256), (19, 6))
both('ridge', '100000x64', lambda n, d: r(1.0, v('f64', n, d), v('f64', n)), (100000, 64), (40, 5))
both('gmm_em', '200000x8, 16', lambda n, d, k: r(v(f, n, d), v(f, k, d), v(f, k, d), v(f, k)), (200000, 8, 16), (50, 3, 4))
both('boruvka_like', '1M, 2M edges', lambda n, m: r(n, v('i32', m), v('i32', m)), (M, 2*M), (50, 60))
both('triangles', '2048', lambda n: r(v('u8', n, n)), (2048,), (30,))
both('sph', '16384', lambda n: r(0.1, v(f, n), v(f, n), v(f, n)), (16384,), (50,))
both('rule110', '4M, 100', lambda n: r(100, v('u8', n)), (4*M,), (77,))
image('sandpile', lambda h, w: r(v('i32', h, w)), (1024, 1024))
both('raymarch', '1080x1920', lambda h, w: r(h, w), (1080, 1920), (20, 30))
both('normals', '200K, 400K faces', lambda n, m: r(v(f, n, 3), v('i32', m, 3)), (200000, 400000), (30, 60))
both('morton', '8M', lambda n: r(v(f, n, 3)), (8*M,), (99,))
both('chacha', '2M blocks', lambda n: r(n, v('u32', 8)), (2*M,), (33,))
both('sobol_pi', '64M', lambda n: r(n), (64*M,), (1000,))
both('bootstrap', '4096 of 8192', lambda b, n: r(b, v(f, n)), (4096, 8192), (20, 30))
both('dtw', '16384 of 64', lambda p, n: r(v(f, p, n), v(f, p, n)), (16384, 64), (20, 9))
both('nms', '4096', lambda n: r(0.3, v(f, n, 4)), (4096,), (60,))
both('transformer', '512 x 256, 8, 1024', lambda n, d, h, k: r(h, v(f, n, d), *[v(f, d, d)]*4, v(f, d, k), v(f, k, d)), (512, 256, 8, 1024), (5, 8, 2, 7))
both('lstm_seq', '64 x 32, 128', lambda t, b, i, h: r(v(f, t, b, i), v(f, 4*h, i), v(f, 4*h, h), v(f, 4*h)), (64, 32, 128, 128), (3, 4, 5, 6))
both('unet_up', '64+32->32 64x64', lambda c, d, h, w, o: r(v(f, c, h, w), v(f, d, 2*h, 2*w), v(f, o, c+d, 3, 3)), (64, 32, 64, 64, 32), (3, 2, 5, 4, 3))
both('quantile', '100000x64', lambda n, m: r(v(f, n, m)), (100000, 64), (31, 5))
both('segmax', '16M', lambda n: r(v('u8', n), v('i32', n)), (16*M,), (333,))
both('partition3', '32M', lambda n: r(v('i32', n)), (32*M,), (333,))
both('strassen1', '1024', lambda n: r(v(f, n, n), v(f, n, n)), (1024,), (14,))
both('jacobi_eig', '16384 of 6x6', lambda b, n: r(6, v(f, b, n, n)), (16384, 6), (20, 4))
both('blackscholes_greeks', '4M', lambda n: r(v('f64', n), v('f64', n), v('f64', n)), (4*M,), (99,))
both('stencil25', '256^3', lambda d, h, w: r(10, v(f, d, h, w), v(f, d, h, w)), (256, 256, 256), (11, 10, 13))
image('advect', lambda h, w: r(10, v(f, h, w), v(f, h, w), v(f, h, w)), (2048, 2048))
both('bilateral_rgb', '2048x2048', lambda h, w: r(v('u8', h, w, 3)), (2048, 2048), (20, 31))
image('canny_like', lambda h, w: r(v('u8', h, w)))
both('f16_axpy', '8192x4096', lambda n, m: r(v('f16', n, m), v('f16', m)), (8192, 4096), (9, 17))
both('concat_rows', '4096x4096', lambda n, m: r(v(f, n, m), v(f, n, m)), (4096, 4096), (9, 16))
both('matchain', '256', lambda n: r(v('u8', n)), (256,), (20,))
both('suffix', '256K', lambda n: r(v('u8', n)), (250000,), (60,))


def chosen(parts):
    return [row for row in ROWS if not parts or any(part in row[0] for part in parts)]


def main():
    what, *parts = sys.argv[1:]
    sources = [source for _, rows in chosen(parts) for _, _, *both in rows for source in both]
    names = [program for program, _ in chosen(parts)] if what == "programs" else [source[1] for source in sources if source[0] == "file"]
    for name in dict.fromkeys(names):
        print(name)


if __name__ == "__main__":
    main()
