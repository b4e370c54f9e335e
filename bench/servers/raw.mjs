/** Baseline of plain Node: reads a form, returns its fields as JSON. */
import { createServer } from 'node:http';

import { listen } from './report.mjs';

const server = createServer((req, res) => {
  const chunks = [];
  req.on('data', (chunk) => chunks.push(chunk));
  req.on('end', () => {
    const body = JSON.stringify(Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString())));
    res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) });
    res.end(body);
  });
});
listen(server);
