import { Injectable, type OnModuleInit } from '@nestjs/common';

import { FailedSignIns, type UnseenFailures } from '../auth/index.js';
import { legacyTime, timeInSentence, translate, type Locale } from '../common/index.js';
import { AppConfig } from '../config/index.js';
import type { Scope } from '../sdk/index.js';
import { PageBanners } from '../theme/index.js';

/** Wrong passwords from one network, as shown on a page. */
export interface FailedSignInRow {
  readonly network: string;
  readonly failures: number;
  readonly first: string;
  readonly last: string;
  /** Whether the reader has not seen them before. */
  readonly is_new: boolean;
}

/** Warns users about failed sign-ins to their account with a banner on every page, until they have seen the list. */
@Injectable()
export class FailedSignInNotice implements OnModuleInit {
  constructor(
    private readonly banners: PageBanners,
    private readonly failures: FailedSignIns,
    private readonly config: AppConfig,
  ) {}

  onModuleInit(): void {
    this.banners.add(async ({ side, account, locale }) => {
      const unseen = await this.failures.unseen(side, account.id);
      if (!unseen) return [];
      const params = { failures: unseen.failures, networks: unseen.networks, since: timeInSentence(unseen.since, this.config.timezone) };
      return [
        {
          id: 'failed-sign-ins',
          level: 'warning',
          text: translate(locale, `account.${textFor(unseen)}`, params),
          action: { label: translate(locale, 'account.banner_see_failed_sign_ins'), url: `/${side}/sessions` },
        },
      ];
    });
  }

  /** Returns the failures for the page of sessions and marks them as seen. */
  async read(side: Scope, accountId: number, locale: Locale): Promise<FailedSignInRow[]> {
    const rows = await this.failures.list(side, accountId);
    if (rows.some(({ seen }) => !seen)) await this.failures.seen(side, accountId);
    return rows.map(({ network, failures, firstAt, lastAt, seen }) => ({
      network: network || translate(locale, 'account.further_networks'),
      failures,
      first: this.timeOf(firstAt),
      last: this.timeOf(lastAt),
      is_new: !seen,
    }));
  }

  private timeOf(moment: Date): string {
    return legacyTime(moment, this.config.timezone);
  }
}

function textFor({ failures, networks }: UnseenFailures): string {
  if (networks > 1) return 'banner_failed_sign_ins';
  return failures > 1 ? 'banner_failed_sign_ins_here' : 'banner_failed_sign_in';
}
