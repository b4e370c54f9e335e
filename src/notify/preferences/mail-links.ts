import { Injectable } from '@nestjs/common';

import { BaseUrl, Secrets } from '../../config/index.js';
import type { Scope } from '../../sdk/index.js';
import { NOTICE_KINDS, type NoticeKind } from '../notice.js';

const PLACE = 'notify.mail_link';

/** Path of the page for mail links. */
export const MAIL_LINK_PATH = '/notices/mail';

/** Action of a mail link: unsubscribe from a kind, or confirm an address. */
export type MailLink =
  | { readonly does: 'unsubscribe'; readonly side: Scope; readonly accountId: number; readonly kind: NoticeKind }
  | { readonly does: 'confirm'; readonly side: Scope; readonly accountId: number; readonly email: string; readonly until: number };

/** Links in mails that work without signing in: the action is encrypted into the token, so it cannot be forged. */
@Injectable()
export class MailLinks {
  constructor(
    private readonly secrets: Secrets,
    private readonly baseUrl: BaseUrl,
  ) {}

  /** Returns the full URL of a link. */
  make(link: MailLink): string {
    const token = this.secrets.sealToken(JSON.stringify(link), PLACE);
    return `${this.baseUrl.current()}${MAIL_LINK_PATH}?t=${token}`;
  }

  /** Decodes a token; null for an invalid one. */
  read(token: unknown): MailLink | null {
    const text = this.secrets.openToken(token, PLACE);
    if (text === null) return null;
    const link = JSON.parse(text) as MailLink;
    return link.does === 'unsubscribe' && !NOTICE_KINDS.includes(link.kind) ? null : link;
  }
}
