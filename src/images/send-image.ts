import type { IncomingMessage, ServerResponse } from 'node:http';
import { basename, dirname } from 'node:path';

import send from 'send';

const YEAR_MS = 31_536_000_000;

/**
 * Sends an image of an {@link ImageFolder}: cacheable forever, since names are random and never reused, and sandboxed, so that it runs
 * nothing when opened directly.
 *
 * @param path absolute
 */
export function sendImage(req: IncomingMessage, res: ServerResponse, path: string): void {
  res.setHeader('X-Content-Type-Options', 'nosniff');
  res.setHeader('Content-Security-Policy', "default-src 'none'; sandbox");
  send(req, basename(path), { root: dirname(path), dotfiles: 'deny', index: false, immutable: true, maxAge: YEAR_MS })
    .on('error', ({ status = 404 }: { status?: number }) =>
      res.headersSent ? res.destroy() : res.writeHead(status, { 'Cache-Control': 'no-store', 'Content-Length': 0 }).end(),
    )
    .pipe(res);
}
