import type { IncomingMessage, ServerResponse } from 'node:http';

import {
  applyDecorators,
  type ArgumentsHost,
  type CanActivate,
  Catch,
  type ExceptionFilter,
  type ExecutionContext,
  Injectable,
  Optional,
  UseFilters,
  UseGuards,
} from '@nestjs/common';

import { ClientAddress, EACH_ITS_OWN, Rate, RateGate, RateLimited, rateOf, type RateClass } from '../auth/index.js';
import { translate, type Locale } from '../common/index.js';

import { failureReply } from './answers/envelopes.js';
import { TEXT_TYPE, sendBody, sendJson } from './answers/send.js';
import { localeOfRequest } from './request-locale.js';
import { SiteLocale } from './site-locale.js';

/** Applies the rate class of a handler by client address: the sender is not authenticated yet. */
@Injectable()
class LimitedGuard implements CanActivate {
  constructor(
    private readonly gate: RateGate,
    private readonly addresses: ClientAddress,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const rate = rateOf(context.getHandler(), context.getClass());
    if (rate === undefined || rate === EACH_ITS_OWN) return rate === EACH_ITS_OWN;
    const counting = this.gate.admit(rate, this.addresses.of(context.switchToHttp().getRequest<IncomingMessage>()), null);
    return counting ? counting.then(() => true) : true;
  }
}

/** Answers a request over its rate limit. */
@Catch(RateLimited)
class LimitedFilter implements ExceptionFilter<RateLimited> {
  /** @param siteLocale missing in a stand-alone store */
  constructor(@Optional() private readonly siteLocale?: SiteLocale) {}

  catch(error: RateLimited, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const req = http.getRequest<IncomingMessage>();
    sendRateLimited(req, http.getResponse<ServerResponse>(), error, localeOfRequest(req, this.siteLocale?.current()));
  }
}

/**
 * Answers when the next request is allowed: as text to a browser that expects a page, else as JSON. The rest of the body is not awaited.
 */
export function sendRateLimited(req: IncomingMessage, res: ServerResponse, error: RateLimited, locale: Locale): void {
  const connection: Record<string, string> = req.complete ? {} : { Connection: 'close' };
  if (!String(req.headers.accept ?? '').includes('text/html')) {
    const reply = failureReply(error, locale);
    return sendJson(res, { ...reply, headers: { ...reply.headers, ...connection } });
  }
  const headers = { 'Retry-After': String(error.seconds), ...connection };
  sendBody(res, 429, TEXT_TYPE, translate(locale, error.shape.text, error.params), headers);
}

/** Declares and applies the rate class of a controller or one of its handlers. */
export const Limited = (rate: RateClass | typeof EACH_ITS_OWN): ClassDecorator & MethodDecorator =>
  applyDecorators(Rate(rate), UseGuards(LimitedGuard), UseFilters(LimitedFilter));
