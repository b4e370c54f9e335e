import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

import { pinoHttp } from 'pino-http';

import { rootLogger } from './common/index.js';

type Middleware = (req: IncomingMessage, res: ServerResponse, next: () => void) => void;

/**
 * Logs every request once it is answered, under an id that the answer carries as `X-Request-Id`: paths without their
 * query, because queries hold keys. Bodies and cookies are never logged.
 */
export function requestLog(): Middleware {
  const logger = rootLogger.child({ feature: 'http' });
  if (!logger.isLevelEnabled('info')) return (_req, _res, next) => next();
  const middleware = pinoHttp({
    logger,
    quietReqLogger: true,
    genReqId: (_req, res) => {
      const id = randomUUID();
      res.setHeader('X-Request-Id', id);
      return id;
    },
    customLogLevel: (_req, res, error) => (error || res.statusCode >= 500 ? 'error' : res.statusCode >= 400 ? 'warn' : 'info'),
    serializers: {
      req: (req: { id: unknown; method: string; url: string; remoteAddress?: string }) => ({
        id: req.id,
        method: req.method,
        path: req.url.split('?')[0],
        remote: req.remoteAddress,
      }),
      res: (res: { statusCode: number }) => ({ status: res.statusCode }),
    },
  });
  return (req, res, next) => {
    middleware(req, res);
    next();
  };
}
