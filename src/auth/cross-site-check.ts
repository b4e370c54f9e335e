import type { IncomingMessage } from 'node:http';

import { Injectable } from '@nestjs/common';

import { BaseUrl } from '../config/index.js';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Whether a request that may change something was made by another site's page. Browsers say where a request comes from in
 * `Origin` and `Sec-Fetch-Site`; one with neither is no browser's, and carries cookies only if its maker has them.
 */
@Injectable()
export class CrossSiteCheck {
  constructor(private readonly baseUrl: BaseUrl) {}

  /** True for a request that is to be refused. */
  refuses(req: Pick<IncomingMessage, 'method' | 'headers'>): boolean {
    if (SAFE_METHODS.has(req.method ?? 'GET')) return false;
    const { origin } = req.headers;
    if (origin !== undefined) return !this.isOwn(origin, req.headers.host);
    const site = req.headers['sec-fetch-site'];
    return site !== undefined && site !== 'same-origin' && site !== 'none';
  }

  private isOwn(origin: string, host: string | undefined): boolean {
    const own = new URL(this.baseUrl.current());
    if (origin === own.origin) return true;
    // Reached under another name than BASE_URL says (127.0.0.1 and localhost, say): the browser names that one in both.
    if (host === undefined || !URL.canParse(origin)) return false;
    const url = new URL(origin);
    if (url.protocol !== 'http:' && url.protocol !== 'https:') return false;
    // A page of our name without TLS is anybody's on the way.
    if (own.protocol === 'https:' && url.protocol === 'http:' && url.hostname === own.hostname) return false;
    return url.host === host || `${url.hostname}:${url.protocol === 'https:' ? 443 : 80}` === host;
  }
}
