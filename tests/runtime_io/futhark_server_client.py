"""Drives the server given on the command line with the futhark-server package; any failure raises."""
import json
import sys
import tempfile

import futhark_server
import numpy as np

with futhark_server.Server(sys.argv[1]) as server:
    for dtype in ['int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', 'uint32', 'uint64', 'float16', 'float32', 'float64', 'bool']:
        name = dtype.replace('uint', 'u').replace('int', 'i').replace('float', 'f')
        for shape in [(), (0,), (7,), (1, 0), (3, 5), (2, 3, 4)]:
            sent = np.arange(np.prod(shape, dtype=int)).reshape(shape).astype(dtype)
            server.put_value('x', sent if shape else sent[()])
            runtime = server.cmd_call(f'{name}_{len(shape)}', 'y', 'x')
            assert len(runtime) == 1 and runtime[0].startswith('runtime: '), runtime
            got = server.get_value('y')
            assert np.array_equal(got, sent) and np.shape(got) == shape and got.dtype == dtype, (dtype, shape, got)
            server.cmd_free('x', 'y')

    assert server.cmd('outputs', 'main') == ['f32', '[]i32']
    server.put_value('n', np.int32(4))
    server.cmd_call('make_pair', 'p', 'n')
    server.cmd_project('items', 'p', 'items')
    assert list(server.get_value('items')) == [0, 1, 4, 9]
    with tempfile.NamedTemporaryFile() as file:
        server.cmd_store(file.name, 'p')
        server.cmd_restore(file.name, ('q', 'pair'))
    assert server.get_value_bytes('q') == server.get_value_bytes('p')
    assert 'events' in json.loads(''.join(server.cmd_report()))
    try:
        server.cmd_free('nonexistent')
        raise SystemExit('freeing what does not exist should have failed')
    except futhark_server.Failure:
        pass
    server.cmd_clear()
print('fine')
