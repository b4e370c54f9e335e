/** The simplest implementation for remote files: pipes the answer of UPSTREAM into its own. */
import { createServer, get } from 'node:http';

import { ready } from './report.mjs';

const server = createServer((_req, res) => {
  get(process.env.UPSTREAM, (upstream) => {
    res.writeHead(upstream.statusCode, { 'Content-Length': upstream.headers['content-length'] });
    upstream.pipe(res);
  });
});
server.listen(0, '127.0.0.1', () => ready({ port: server.address().port }));
