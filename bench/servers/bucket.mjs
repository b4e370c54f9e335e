/** An S3 service without authentication: objects are files of the folder DATA_DIR. */
import { createReadStream, createWriteStream, mkdirSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';

import { listen } from './report.mjs';

const pathOf = (url) => join(process.env.DATA_DIR, new URL(url, 'http://s3').pathname);

const server = createServer(async (req, res) => {
  const path = pathOf(req.url);
  if (req.method === 'PUT') {
    mkdirSync(dirname(path), { recursive: true });
    await pipeline(req, createWriteStream(path));
    return res.writeHead(200).end();
  }
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  if (size === undefined || req.url.includes('list-type'))
    return res.writeHead(req.url.includes('list-type') ? 200 : 404, { 'Content-Length': 0 }).end();
  if (req.method === 'HEAD') return res.writeHead(200, { 'Content-Length': size }).end();
  const [start, end] = /^bytes=(\d+)-(\d+)$/
    .exec(req.headers.range ?? `bytes=0-${size - 1}`)
    .slice(1)
    .map(Number);
  res.writeHead(req.headers.range ? 206 : 200, { 'Content-Length': end - start + 1, 'Content-Range': `bytes ${start}-${end}/${size}` });
  return pipeline(createReadStream(path, { start, end }), res).catch(() => res.destroy());
});
listen(server);
