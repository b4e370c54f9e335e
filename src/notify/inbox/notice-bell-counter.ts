import { Injectable, type OnModuleInit } from '@nestjs/common';

import { NoticeBell } from '../../web/index.js';

import { Inbox } from './inbox.js';

/** Tells the bell of every page how many notices are unread. */
@Injectable()
export class NoticeBellCounter implements OnModuleInit {
  constructor(
    private readonly bell: NoticeBell,
    private readonly inbox: Inbox,
  ) {}

  onModuleInit(): void {
    this.bell.countWith((side, accountId) => this.inbox.unread({ side, accountId }));
  }
}
