import { Injectable } from '@nestjs/common';

import type { Scope } from '../../sdk/index.js';
import { UnreadNotices } from '../../web/index.js';

import { Inbox } from './inbox.js';

/** Counts unread notices for the bell on every page. */
@Injectable()
export class UnreadInInbox extends UnreadNotices {
  constructor(private readonly inbox: Inbox) {
    super();
  }

  override count(side: Scope, accountId: number): Promise<number> {
    return this.inbox.unread({ side, accountId });
  }
}
