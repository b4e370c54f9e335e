/** The simplest implementation for remote files: pipes the answer of UPSTREAM into its own. */
import { createServer, get } from 'node:http';

import { listen } from './report.mjs';

const server = createServer((_req, res) => {
  get(process.env.UPSTREAM, (upstream) => {
    res.writeHead(upstream.statusCode, { 'Content-Length': upstream.headers['content-length'] });
    upstream.pipe(res);
  });
});
listen(server);
