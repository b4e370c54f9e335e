import type { ServerResponse } from 'node:http';

import { localPath } from '../../common/index.js';

import type { WireReply } from './envelopes.js';
import { pageHeaders, type PagePolicy } from './page-headers.js';
import { sendWhole } from './send-whole.js';

/** Headers of every answer that is not a page: not cached, not sniffed. */
export const PLAIN_HEADERS = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
} as const;

/** Type of every JSON answer of the panel. Source: docs/panel-api.md "Answers". */
export const JSON_TYPE = 'application/json; charset=UTF-8';
/** Type of pages. */
export const HTML_TYPE = 'text/html; charset=utf-8';
/** Type of plain text, which gateways expect. */
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

/** Redirects the client. */
export function sendRedirect(res: ServerResponse, location: string, status = 302): void {
  if (res.headersSent) return;
  res.writeHead(status, { ...PLAIN_HEADERS, Location: headerUrl(location), 'Content-Length': 0 });
  res.end();
}

/** Redirects to a path of this site that was built from the request: never to another host. */
export function sendLocalRedirect(res: ServerResponse, path: string, status = 302): void {
  sendRedirect(res, localPath(path), status);
}

/** Sends a page with its policy and nonce. */
export function sendHtml(res: ServerResponse, status: number, html: string | Buffer, nonce: string, policy?: PagePolicy): void {
  sendBody(res, status, HTML_TYPE, html, pageHeaders(nonce, policy));
}

/** Makes a URL safe for a header: existing percent-encoding is kept; characters a header cannot hold are encoded or dropped. */
function headerUrl(location: string): string {
  return location.replace(/[\u0000-\u0020\u007f]/g, '').replace(/[^\x21-\x7e]+/g, (text) => encodeURIComponent(text.toWellFormed()));
}
