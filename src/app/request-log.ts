import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

import { rootLogger, type Logger } from '../common/index.js';
import { pathOf } from '../http/index.js';

/** Notes a request that has just come in. */
export type RequestLog = (req: IncomingMessage, res: ServerResponse) => void;

/**
 * Logs every request once it is answered, or once the client is gone, under an id that the answer carries as
 * `X-Request-Id`: paths without their query, because queries hold keys. Bodies and cookies are never logged.
 *
 * Written here because pino-http makes a logger of its own for every request and looks for secrets in every line, which
 * costs more than serving the request does; these lines have fixed fields and no place for a secret.
 *
 * @returns null where requests are not logged at the present level
 */
export function requestLog(logger: Logger = rootLogger): RequestLog | null {
  if (!logger.isLevelEnabled('info')) return null;
  const lines = logger.child({ feature: 'http' }, { redact: [] });
  return (req, res) => {
    const id = randomUUID();
    const start = performance.now();
    // Now, because routers rewrite the URL and a closed connection forgets its address.
    const { method, url = '' } = req;
    const path = pathOf(url);
    const remote = req.socket.remoteAddress;
    res.setHeader('X-Request-Id', id);
    // One event for both ends: an answer that was sent, and a client that did not wait for it.
    res.once('close', () => {
      const finished = res.writableFinished;
      const status = res.statusCode;
      const line = { req: { id, method, path, remote }, res: { status }, responseTime: Math.round(performance.now() - start) };
      if (status >= 500) lines.error(line, finished ? 'request completed' : 'request aborted');
      else if (status >= 400 || !finished) lines.warn(line, finished ? 'request completed' : 'request aborted');
      else lines.info(line, 'request completed');
    });
  };
}
