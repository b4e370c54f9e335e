/** A common way to serve a folder from Node: sirv, configured for files that do not change while it runs. FOLDER is the folder. */
import { createServer } from 'node:http';

import sirv from 'sirv';

import { ready } from './report.mjs';

const server = createServer(sirv(process.env.FOLDER, { etag: true }));
server.listen(0, '127.0.0.1', () => ready({ port: server.address().port }));
