import type { ServerResponse } from 'node:http';

import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { finalize, map, type Observable } from 'rxjs';

import { translate } from '../../common/index.js';
import { BodyAdmission, storeEnvelope } from '../../http/index.js';

import { Answer, type StoreRequest } from '../call/index.js';

/** Content type of every enveloped response. */
export const ENVELOPE_TYPE = 'application/json; charset=utf-8';

/** Wraps handler results in the store's envelope: `{code: 0, msg, data}` with status 200. */
@Injectable()
export class Envelope implements NestInterceptor {
  constructor(private readonly admission: BodyAdmission) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const req = http.getRequest<StoreRequest>();
    const { locale } = req.store!;
    return next.handle().pipe(
      finalize(() => this.admission.done(req)),
      map((result: unknown) => {
        const res = http.getResponse<ServerResponse>();
        if (!res.headersSent) {
          res.statusCode = 200;
          res.setHeader('Cache-Control', 'no-store');
          res.setHeader('X-Content-Type-Options', 'nosniff');
        }
        const { text, data, params } = result instanceof Answer ? result : new Answer('store.ok', result ?? null);
        return storeEnvelope.success(translate(locale, text, params), data);
      }),
    );
  }
}
