import { Inject, Injectable, Optional } from '@nestjs/common';

import type { Scope } from '../sdk/index.js';

/** Whoever keeps notices provides this. */
export abstract class UnreadNotices {
  /** How many notices somebody has not read; asked for every page, so it must be cheap. */
  abstract count(side: Scope, accountId: number): Promise<number>;
}

/** The bell in the header of both sides. Where nobody keeps notices, there is none. */
@Injectable()
export class NoticeBell {
  constructor(@Optional() @Inject(UnreadNotices) private readonly notices: UnreadNotices | null) {}

  /** What the templates see as `bell`. */
  async of(side: Scope, accountId: number): Promise<{ unread: number } | null> {
    return this.notices && { unread: await this.notices.count(side, accountId) };
  }
}
