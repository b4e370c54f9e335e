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

/** Sends the result of a plugin's route; see {@link RouteResult}. The caller handles `false`. */
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
  if (!Number.isInteger(status) || status < 200 || status > 599) throw new Error(`A route returned the invalid status ${String(status)}.`);
  if (body instanceof Readable) return sendStream(res, status, replyHeaders('application/octet-stream', headers, call), body);
  const isText = typeof body === 'string' || Buffer.isBuffer(body) || body === null;
  const type = isText ? (Buffer.isBuffer(body) ? 'application/octet-stream' : HTML_TYPE) : JSON_TYPE;
  const bytes = isText ? (body ?? '') : JSON.stringify(body);
  if (res.headersSent) return;
  res.writeHead(status, { ...replyHeaders(type, headers, call), 'Content-Length': Buffer.byteLength(bytes) });
  res.end(call.method === 'HEAD' ? undefined : bytes);
}

/** Merges the plugin's headers (names in any case) with the defaults; a page gets the headers of all pages. */
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

/** Whether the object is a reply with only status, headers or body; any other object is sent as JSON. */
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
