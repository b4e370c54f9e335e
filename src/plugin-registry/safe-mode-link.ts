import { randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { sameText } from '../common/index.js';

/**
 * Link that stops every plugin of this process, printed to its terminal: it works when the admin pages do not. Each link works once; then
 * the next one is printed.
 */
@Injectable()
export class SafeModeLink {
  private token = randomBytes(24).toString('base64url');

  /** Path and query. The token is in the query because queries are not logged. */
  get path(): string {
    return `/safe-mode?token=${this.token}`;
  }

  /** Whether `token` is the current one. */
  fits(token: string | undefined): boolean {
    return sameText(token ?? '', this.token);
  }

  /** Invalidates the current token. */
  renew(): void {
    this.token = randomBytes(24).toString('base64url');
  }
}
