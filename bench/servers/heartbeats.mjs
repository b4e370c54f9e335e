/** Bare heartbeats: Node's own server compares the node's secret and runs the same write on the bare driver. */
import { createServer } from 'node:http';

import Sqlite from 'better-sqlite3';

import { toSqlTime } from '#dist/src/database/index.js';

import { listen } from './report.mjs';

const handle = new Sqlite(process.env.DATABASE_URL.replace(/^sqlite:/, ''));
handle.pragma('journal_mode = WAL');
handle.pragma('synchronous = NORMAL');
/** @type {Sqlite.Statement<[string], { id: number, node_secret: string }>} */
const find = handle.prepare('SELECT id, node_secret FROM SVC_node WHERE node_id = ? AND enabled = 1');
const beat = handle.prepare(
  `UPDATE SVC_node SET last_heartbeat = ?, status = ?, ip = ?, load = COALESCE(?, load), node_name = COALESCE(?, node_name),
    version = COALESCE(?, version),
    capabilities = COALESCE(?, capabilities) WHERE id = ? AND enabled = 1`,
);

const server = createServer((req, res) => {
  const chunks = [];
  req.on('data', (chunk) => chunks.push(chunk));
  req.on('end', () => {
    const given = JSON.parse(Buffer.concat(chunks).toString());
    const node = find.get(given.node_id);
    const success = node?.node_secret === given.node_secret;
    if (success) beat.run(toSqlTime(new Date()), given.status, req.socket.remoteAddress, given.load, null, null, null, node.id);
    const body = JSON.stringify({ success, code: 200, msg: 'heartbeat ok', data: {} });
    res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) });
    res.end(body);
  });
});
listen(server);
