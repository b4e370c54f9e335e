import { Inject, Injectable, Optional } from '@nestjs/common';

import type { Scope } from '../sdk/index.js';
import { constantData } from '../theme/index.js';

/** Whoever keeps notices provides this. */
export abstract class UnreadNotices {
  /** How many notices somebody has not read, 100 for all beyond; asked for every page, so it must be cheap. */
  abstract count(side: Scope, accountId: number): Promise<number>;
}

/** The bell in the header of both sides. Where nobody keeps notices, there is none. */
@Injectable()
export class NoticeBell {
  /** By how many are unread: the same from page to page, so that the theme keeps what it draws of it. */
  private readonly bells = new Map<number, { readonly unread: number }>();

  constructor(@Optional() @Inject(UnreadNotices) private readonly notices: UnreadNotices | null) {}

  /** What the templates see as `bell`. */
  async of(side: Scope, accountId: number): Promise<{ readonly unread: number } | null> {
    if (!this.notices) return null;
    const unread = await this.notices.count(side, accountId);
    let bell = this.bells.get(unread);
    if (!bell) this.bells.set(unread, (bell = constantData({ unread })));
    return bell;
  }
}
