import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

import { rootLogger, type Logger } from '../common/index.js';
import { pathOf } from '../http/index.js';

/** Logs an incoming request. */
export type RequestLog = (req: IncomingMessage, res: ServerResponse) => void;

/**
 * Logs every request when it is answered or the client disconnects, under an id that the answer carries as `X-Request-Id`. Paths are logged
 * without their query, because queries hold keys; bodies and cookies are never logged. Not pino-http: it creates a logger per request and
 * searches each line for secrets, which costs more than serving the request; these lines have fixed fields without secrets.
 *
 * @returns null if requests are not logged at the current level
 */
export function requestLog(logger: Logger = rootLogger): RequestLog | null {
  if (!logger.isLevelEnabled('info')) return null;
  const lines = logger.child({ feature: 'http' }, { redact: [] });
  return (req, res) => {
    const id = randomUUID();
    const start = performance.now();
    // Read now, because routers rewrite the URL and a closed connection loses its address.
    const { method, url = '' } = req;
    const path = pathOf(url);
    const remote = req.socket.remoteAddress;
    res.setHeader('X-Request-Id', id);
    // `close` covers both outcomes: the answer was sent, or the client disconnected before.
    res.once('close', () => {
      const finished = res.writableFinished;
      const status = res.statusCode;
      const line = { req: { id, method, path, remote }, res: { status }, responseTime: Math.round(performance.now() - start) };
      const message = finished ? 'request completed' : 'request aborted';
      if (status >= 500) lines.error(line, message);
      else if (status >= 400 || (!finished && !isEventStream(res))) lines.warn(line, message);
      else lines.info(line, 'request completed');
    });
  };
}

/** A stream of events lasts until its page is closed: nothing was aborted. */
const isEventStream = (res: ServerResponse): boolean => String(res.getHeader('content-type')).startsWith('text/event-stream');
