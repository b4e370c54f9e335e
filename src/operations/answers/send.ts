import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { localPath, loggerFor } from '../../common/index.js';
import { sendWhole, type WireReply } from '../../http/index.js';
import type { CallContext, HttpReply, RouteResult } from '../../sdk/index.js';

import { PAGE_HEADERS, contentSecurityPolicy, pageHeaders, type PagePolicy } from './page-headers.js';

const log = loggerFor('http');

/** Headers of every answer that is no page: never kept, never sniffed, never framed. */
const PLAIN_HEADERS = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
} as const;

/** Type of every JSON answer of the panel. Source: docs/panel-api.md "Answers". */
export const JSON_TYPE = 'application/json; charset=UTF-8';
/** Type of pages. */
export const HTML_TYPE = 'text/html; charset=utf-8';
/** Type of plain texts: what gateways wait for. */
export const TEXT_TYPE = 'text/plain; charset=utf-8';

/** Sends a text or bytes, compressed as {@link sendWhole} does. */
export function sendBody(
  res: ServerResponse,
  status: number,
  type: string,
  body: string | Buffer,
  headers?: Readonly<Record<string, string | string[]>>,
): void {
  if (res.headersSent) return;
  sendWhole(res, status, { ...PLAIN_HEADERS, 'Content-Type': type, ...headers }, body);
}

/** Sends a JSON answer of the panel. */
export function sendJson(res: ServerResponse, reply: WireReply): void {
  sendBody(res, reply.status, JSON_TYPE, JSON.stringify(reply.body), reply.headers);
}

/** Sends somebody elsewhere. */
export function sendRedirect(res: ServerResponse, location: string, status = 302): void {
  if (res.headersSent) return;
  res.writeHead(status, { ...PLAIN_HEADERS, Location: headerUrl(location), 'Content-Length': 0 });
  res.end();
}

/** Sends somebody to a path of this site that was made from their request: it never leads to another host. */
export function sendLocalRedirect(res: ServerResponse, path: string, status = 302): void {
  sendRedirect(res, localPath(path), status);
}

/** Sends a page under the policy with its nonce. */
export function sendHtml(res: ServerResponse, status: number, html: string | Buffer, nonce: string, policy?: PagePolicy): void {
  sendBody(res, status, HTML_TYPE, html, pageHeaders(nonce, policy));
}

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
  if (isPage && !names.has('content-security-policy')) headers['Content-Security-Policy'] = contentSecurityPolicy(call.nonce);
  for (const name of Object.keys(headers)) if (names.has(name.toLowerCase())) delete headers[name];
  for (const [name, value] of Object.entries(given)) if (name.toLowerCase() !== 'content-length') headers[name] = value;
  return headers;
}

async function sendStream(
  res: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string | string[]>>,
  stream: Readable,
): Promise<void> {
  res.writeHead(status, headers);
  try {
    await pipeline(stream, res);
  } catch (error) {
    log.warn({ err: error }, 'a stream ended before its end');
    res.destroy();
  }
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

/** A URL as a header can carry it: what is encoded stays so, what a header cannot hold is encoded or dropped. */
function headerUrl(location: string): string {
  return location.replace(/[\u0000-\u0020\u007f]/g, '').replace(/[^\x21-\x7e]+/g, (text) => encodeURIComponent(text.toWellFormed()));
}
