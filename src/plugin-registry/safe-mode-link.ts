import { randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { sameText } from '../common/index.js';

/**
 * The address that stops every plugin of this process, for whoever sees its terminal: it works when the pages of the admin side
 * do not. Each one works once; the next is told after that.
 */
@Injectable()
export class SafeModeLink {
  private token = randomBytes(24).toString('base64url');

  /** Path and query. The token is in the query because queries are not logged. */
  get path(): string {
    return `/safe-mode?token=${this.token}`;
  }

  /** Whether `token` is the present one. */
  fits(token: string | undefined): boolean {
    return sameText(token ?? '', this.token);
  }

  /** Uses the present token up. */
  renew(): void {
    this.token = randomBytes(24).toString('base64url');
  }
}
