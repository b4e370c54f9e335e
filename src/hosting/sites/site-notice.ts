import type { IncomingMessage, ServerResponse } from 'node:http';

import { chooseLocale, translate } from '../../common/index.js';
import { PLAIN_PAGE_POLICY, plainPage } from '../embedded/index.js';

/** Pages shown to visitors; texts `hosting.<notice>_title` and `hosting.<notice>_text`. */
export type Notice =
  | 'site_unknown'
  | 'site_paused'
  | 'site_stopped'
  | 'site_expired'
  | 'site_provisioning'
  | 'site_traffic'
  | 'page_missing'
  | 'file_private'
  | 'file_hotlink'
  | 'folder_password'
  | 'folder_wait'
  | 'method'
  | 'server_error';

/** Sends a page of the panel, in the visitor's language. */
export function sendNotice(request: IncomingMessage, response: ServerResponse, status: number, notice: Notice): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const locale = chooseLocale(undefined, undefined, request.headers['accept-language']);
  const page = plainPage(locale, translate(locale, `hosting.${notice}_title`), translate(locale, `hosting.${notice}_text`));
  response.writeHead(status, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': Buffer.byteLength(page),
    'Content-Security-Policy': PLAIN_PAGE_POLICY,
    'Cache-Control': 'no-store',
    Vary: 'Accept-Language',
  });
  response.end(request.method === 'HEAD' ? undefined : page);
}
