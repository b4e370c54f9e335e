import { Injectable } from '@nestjs/common';

import { passwordMark, UserDirectory, type LoginCandidate } from '../auth/index.js';
import { HOUR_MS, Clock } from '../common/index.js';
import { BaseUrl, Secrets } from '../config/index.js';

const PLACE = 'account.reset_link';
const LINK_MS = HOUR_MS;

/** Path of the page these links lead to. */
export const RESET_PATH = '/user/reset';

/** What is sealed into a link. */
interface ResetLink {
  readonly id: number;
  readonly username: string;
  /** Of the password that was forgotten, so that the link ends with it. */
  readonly password: string;
  /** When it runs out, in milliseconds since 1970. */
  readonly until: number;
}

/**
 * Links by which whoever lost a password sets another one. All they say is sealed into them, and what they hang on is the password they
 * replace: one that was used has changed it, so no link works twice, and none outlives a password that was changed some other way.
 */
@Injectable()
export class ResetLinks {
  constructor(
    private readonly secrets: Secrets,
    private readonly baseUrl: BaseUrl,
    private readonly users: UserDirectory,
    private readonly clock: Clock,
  ) {}

  /** The whole address. It works once, for an hour. */
  make({ id, username, passwordHash }: LoginCandidate): string {
    const link: ResetLink = { id, username, password: passwordMark(passwordHash), until: this.clock.now().getTime() + LINK_MS };
    return `${this.baseUrl.current()}${RESET_PATH}?t=${this.secrets.sealToken(JSON.stringify(link), PLACE)}`;
  }

  /** Whose it is; null for one that is over, was used, or that we did not make. */
  async read(token: unknown): Promise<LoginCandidate | null> {
    const text = this.secrets.openToken(token, PLACE);
    if (text === null) return null;
    const { id, username, password, until } = JSON.parse(text) as ResetLink;
    if (until < this.clock.now().getTime()) return null;
    const found = await this.users.findForLogin(username);
    return found?.id === id && passwordMark(found.passwordHash) === password ? found : null;
  }
}
