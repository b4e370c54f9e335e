import { IncomingMessage, ServerResponse, type IncomingHttpHeaders } from 'node:http';
import { Socket } from 'node:net';

import { Access, withAccess } from '../../src/auth/index.js';
import { EMPTY_BODY, RequestContext, type CallDetails } from '../../src/operations/call/call.js';

/** Details of a request in a test; missing fields describe an anonymous request from 127.0.0.1. */
export interface TestCall extends Partial<CallDetails> {
  readonly method?: string;
  /** Path and query. */
  readonly url?: string;
  readonly cookies?: Readonly<Record<string, string>>;
  readonly headers?: IncomingHttpHeaders;
}

/** Returns a request context as operations and callbacks receive it. */
export function testCall({
  method = 'POST',
  url = '/',
  cookies = {},
  headers = {},
  ip = '127.0.0.1',
  admin = null,
  ...details
}: TestCall = {}): RequestContext {
  const cookie = Object.entries(cookies).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const sent = { 'user-agent': 'test', ...(cookie.length > 0 ? { cookie: cookie.join('; ') } : {}), ...headers };
  const req = Object.assign(new IncomingMessage(new Socket()), { method, url, headers: sent });
  return new RequestContext(
    { req, res: new ServerResponse(req) },
    {
      scope: 'public',
      ip,
      baseUrl: 'http://127.0.0.1:3000',
      locale: 'zh-CN',
      user: null,
      ...EMPTY_BODY,
      ...details,
      admin: admin && withAccess(admin, Access.FULL),
    },
  );
}

/** Returns the HTTP request behind a context. */
export const { exchangeOf } = RequestContext;
