import { Injectable } from '@nestjs/common';

import type { Undo } from '../common/index.js';
import type { Scope } from '../sdk/index.js';

/** How many notices somebody has not read; asked for every page, so it must be cheap. */
export type UnreadCounter = (side: Scope, accountId: number) => Promise<number>;

/** The bell in the header of both sides. Whoever keeps notices says how many are unread; nobody doing so, there is no bell. */
@Injectable()
export class NoticeBell {
  private counter: UnreadCounter | null = null;

  /** @returns takes the counter away again */
  countWith(counter: UnreadCounter): Undo {
    this.counter = counter;
    return () => {
      if (this.counter === counter) this.counter = null;
    };
  }

  /** What the templates see as `bell`. */
  async of(side: Scope, accountId: number): Promise<{ unread: number } | null> {
    return this.counter && { unread: await this.counter(side, accountId) };
  }
}
