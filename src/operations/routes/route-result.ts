import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';

import {
  ANY_HTTPS_SITE,
  contentSecurityPolicy,
  HTML_TYPE,
  JSON_TYPE,
  PAGE_HEADERS,
  PLAIN_HEADERS,
  sendBody,
  sendHtml,
  sendStream,
  TEXT_TYPE,
} from '../../http/index.js';
import type { CallContext, HttpReply, RouteResult } from '../../sdk/index.js';

/** Sends what a plugin's route returned; see {@link RouteResult}. `false` is the caller's business. */
export async function sendRouteResult(
  res: ServerResponse,
  result: Exclude<RouteResult, false>,
  call: Pick<CallContext, 'method' | 'nonce'>,
): Promise<void> {
  if (result === undefined || result === null) return sendBody(res, 204, TEXT_TYPE, '');
  if (typeof result === 'string') return sendHtml(res, 200, result, call.nonce);
  if (Buffer.isBuffer(result)) return sendBody(res, 200, 'application/octet-stream', result);
  if (result instanceof Readable) return sendStream(res, 200, replyHeaders('application/octet-stream', {}, call), result);
  if (!isHttpReply(result)) return sendBody(res, 200, JSON_TYPE, JSON.stringify(result));
  const { status = 200, headers = {}, body = '' } = result;
  if (!Number.isInteger(status) || status < 200 || status > 599) throw new Error(`A route answered with the status ${String(status)}.`);
  if (body instanceof Readable) return sendStream(res, status, replyHeaders('application/octet-stream', headers, call), body);
  const isText = typeof body === 'string' || Buffer.isBuffer(body) || body === null;
  const type = isText ? (Buffer.isBuffer(body) ? 'application/octet-stream' : HTML_TYPE) : JSON_TYPE;
  const bytes = isText ? (body ?? '') : JSON.stringify(body);
  if (res.headersSent) return;
  res.writeHead(status, { ...replyHeaders(type, headers, call), 'Content-Length': Buffer.byteLength(bytes) });
  res.end(call.method === 'HEAD' ? undefined : bytes);
}

/** What a plugin gave, whatever the case of its names, and ours for the rest; a page gets what every page has. */
function replyHeaders(
  type: string,
  given: Readonly<Record<string, string | string[]>>,
  call: Pick<CallContext, 'nonce'>,
): Record<string, string | string[]> {
  const names = new Map(Object.keys(given).map((name) => [name.toLowerCase(), name]));
  const sentType = String(given[names.get('content-type') ?? ''] ?? type);
  const isPage = /^\s*(text\/html|application\/xhtml\+xml)/i.test(sentType);
  const headers: Record<string, string | string[]> = { ...PLAIN_HEADERS, 'Content-Type': type, ...(isPage ? PAGE_HEADERS : {}) };
  if (isPage && !names.has('content-security-policy'))
    headers['Content-Security-Policy'] = contentSecurityPolicy(call.nonce, { formTargets: ANY_HTTPS_SITE });
  for (const name of Object.keys(headers)) if (names.has(name.toLowerCase())) delete headers[name];
  for (const [name, value] of Object.entries(given)) if (name.toLowerCase() !== 'content-length') headers[name] = value;
  return headers;
}

const REPLY_FIELDS = new Set(['status', 'headers', 'body']);

/** A reply with status, headers or body, and nothing else; any other object is JSON. */
function isHttpReply(value: object): value is HttpReply {
  const names = Object.keys(value);
  return (
    names.length > 0 && names.every((name) => REPLY_FIELDS.has(name)) && ('body' in value || 'status' in value) && !isPlainStatus(value)
  );
}

/** `{status: "ok"}` is JSON, `{status: 404}` a reply. */
function isPlainStatus(value: object): boolean {
  const { status, headers } = value as { status?: unknown; headers?: unknown };
  if (status !== undefined && typeof status !== 'number') return true;
  return headers !== undefined && (typeof headers !== 'object' || headers === null);
}
