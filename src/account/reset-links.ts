import { Injectable } from '@nestjs/common';

import { passwordMark, UserDirectory, type LoginCandidate } from '../auth/index.js';
import { HOUR_MS, Clock } from '../common/index.js';
import { BaseUrl, Secrets } from '../config/index.js';

const PLACE = 'account.reset_link';
const LINK_MS = HOUR_MS;

/** Path of the page that the links open. */
export const RESET_PATH = '/user/reset';

/** Encrypted content of a link. */
interface ResetLink {
  readonly id: number;
  readonly username: string;
  /** Fingerprint of the old password, so that changing the password invalidates the link. */
  readonly password: string;
  /** Expiry in milliseconds since 1970. */
  readonly until: number;
}

/**
 * Password reset links. All their data is encrypted in the link, and bound to the password it replaces, so that a link works
 * only once and becomes invalid when the password is changed in another way.
 */
@Injectable()
export class ResetLinks {
  constructor(
    private readonly secrets: Secrets,
    private readonly baseUrl: BaseUrl,
    private readonly users: UserDirectory,
    private readonly clock: Clock,
  ) {}

  /** Returns the complete URL. It works once, for an hour. */
  make({ id, username, passwordHash }: LoginCandidate): string {
    const link: ResetLink = { id, username, password: passwordMark(passwordHash), until: this.clock.now().getTime() + LINK_MS };
    return `${this.baseUrl.current()}${RESET_PATH}?t=${this.secrets.sealToken(JSON.stringify(link), PLACE)}`;
  }

  /** Returns the account of a link; null if it expired, was used, or is not authentic. */
  async read(token: unknown): Promise<LoginCandidate | null> {
    const text = this.secrets.openToken(token, PLACE);
    if (text === null) return null;
    const { id, username, password, until } = JSON.parse(text) as ResetLink;
    if (until < this.clock.now().getTime()) return null;
    const found = await this.users.findForLogin(username);
    return found?.id === id && passwordMark(found.passwordHash) === password ? found : null;
  }
}
