import { Inject, Injectable, Optional } from '@nestjs/common';

import type { Scope } from '../sdk/index.js';
import { constantData } from '../theme/index.js';

/** Port: implemented by the feature that stores notices. */
export abstract class UnreadNotices {
  /** Returns the number of an account's unread notices, at most 100; called for every page, so it must be cheap. */
  abstract count(side: Scope, accountId: number): Promise<number>;
}

/** The bell in the header of both sides; absent without notices. */
@Injectable()
export class NoticeBell {
  /** By number of unread notices: shared objects, so that the theme can cache its output. */
  private readonly bells = new Map<number, { readonly unread: number }>();

  constructor(@Optional() @Inject(UnreadNotices) private readonly notices: UnreadNotices | null) {}

  /** Returns the template variable `bell`. */
  async of(side: Scope, accountId: number): Promise<{ readonly unread: number } | null> {
    if (!this.notices) return null;
    const unread = await this.notices.count(side, accountId);
    let bell = this.bells.get(unread);
    if (!bell) this.bells.set(unread, (bell = constantData({ unread })));
    return bell;
  }
}
