import { Injectable } from '@nestjs/common';

import { LinkTokens, type LoginCandidate } from '../auth/index.js';
import { BaseUrl } from '../config/index.js';
import { HostUserDirectory } from '../hosting/index.js';

const RESET = { place: 'account.reset_link' };

/** Path of the page that the links open. */
export const RESET_PATH = '/user/reset';

/** Links with which users who lost their password set a new one. */
@Injectable()
export class ResetLinks {
  constructor(
    private readonly tokens: LinkTokens,
    private readonly baseUrl: BaseUrl,
    private readonly users: HostUserDirectory,
  ) {}

  /** Returns the complete URL. It works once, for an hour. */
  make(account: LoginCandidate): string {
    return `${this.baseUrl.current()}${RESET_PATH}?t=${this.tokens.sealPassword(RESET, account).token}`;
  }

  /** Returns the account of a link; null if it expired, was used, or is not authentic. */
  read(token: unknown): Promise<LoginCandidate | null> {
    return this.tokens.openPassword(RESET, token, (id) => this.users.findById(id));
  }
}
