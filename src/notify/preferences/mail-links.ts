import { Injectable } from '@nestjs/common';

import { BaseUrl, Secrets } from '../../config/index.js';
import type { Scope } from '../../sdk/index.js';
import { NOTICE_KINDS, type NoticeKind } from '../notice.js';

const PLACE = 'notify.mail_link';

/** Path of the page these links lead to. */
export const MAIL_LINK_PATH = '/notices/mail';

/** What the link of a mail does: no more mails of a kind, or from now on mails to this address. */
export type MailLink =
  | { readonly does: 'unsubscribe'; readonly side: Scope; readonly accountId: number; readonly kind: NoticeKind }
  | { readonly does: 'confirm'; readonly side: Scope; readonly accountId: number; readonly email: string; readonly until: number };

/** Links in mails that work without signing in: what they do is sealed into them, so nobody makes one up or changes one. */
@Injectable()
export class MailLinks {
  constructor(
    private readonly secrets: Secrets,
    private readonly baseUrl: BaseUrl,
  ) {}

  /** The whole address. */
  make(link: MailLink): string {
    const token = this.secrets.sealToken(JSON.stringify(link), PLACE);
    return `${this.baseUrl.current()}${MAIL_LINK_PATH}?t=${token}`;
  }

  /** What a token says; null for one we did not make. */
  read(token: unknown): MailLink | null {
    const text = this.secrets.openToken(token, PLACE);
    if (text === null) return null;
    const link = JSON.parse(text) as MailLink;
    return link.does === 'unsubscribe' && !NOTICE_KINDS.includes(link.kind) ? null : link;
  }
}
