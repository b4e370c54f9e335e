import type { IncomingMessage } from 'node:http';

import { Injectable } from '@nestjs/common';

import { BaseUrl } from '../config/index.js';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Detects state-changing requests made by another site's page (CSRF). Browsers send `Origin` and `Sec-Fetch-Site`; a request with
 * neither does not come from a browser, so its cookies were set by the client itself.
 */
@Injectable()
export class CrossSiteCheck {
  constructor(private readonly baseUrl: BaseUrl) {}

  /** Returns true if the request must be rejected. */
  rejects(req: Pick<IncomingMessage, 'method' | 'headers'>): boolean {
    if (SAFE_METHODS.has(req.method ?? 'GET')) return false;
    const { origin } = req.headers;
    if (origin !== undefined) return !this.isOwn(origin, req.headers.host);
    const site = req.headers['sec-fetch-site'];
    return site !== undefined && site !== 'same-origin' && site !== 'none';
  }

  private isOwn(origin: string, host: string | undefined): boolean {
    const own = new URL(this.baseUrl.current());
    if (origin === own.origin) return true;
    // The panel was reached under another name than BASE_URL (127.0.0.1 and localhost, say); the browser sends that name in both headers.
    if (host === undefined || !URL.canParse(origin)) return false;
    const url = new URL(origin);
    if (url.protocol !== 'http:' && url.protocol !== 'https:') return false;
    // A page of our host without TLS may have been tampered with in transit.
    if (own.protocol === 'https:' && url.protocol === 'http:' && url.hostname === own.hostname) return false;
    return url.host === host || `${url.hostname}:${url.protocol === 'https:' ? 443 : 80}` === host;
  }
}
