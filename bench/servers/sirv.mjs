/** A common way to serve a folder from Node: sirv, configured for files that do not change while it runs. FOLDER is the folder. */
import { createServer } from 'node:http';

import sirv from 'sirv';

import { listen } from './report.mjs';

listen(createServer(sirv(process.env.FOLDER, { etag: true })));
