import { Injectable } from '@nestjs/common';

import { Database } from '../../database/index.js';
import { NotifyError } from '../errors.js';
import type { WrittenNotice } from '../notice.js';
import { NoticeAccounts, Receivers, type NoticeAccount, type NoticeAccountFilter } from '../receivers/index.js';

import { NoticeWriter } from './notice-writer.js';

/** Accounts per transaction, so that other writers do not wait long. */
const BATCH = 200;

/** Sends an administrator's notice to many accounts. */
@Injectable()
export class Mailing {
  constructor(
    private readonly database: Database,
    private readonly accounts: NoticeAccounts,
    private readonly receivers: Receivers,
    private readonly writer: NoticeWriter,
  ) {}

  /** @returns number of recipients @throws NotifyError `RECEIVERS_UNKNOWN` naming unknown accounts; nothing is sent then */
  async toNames(names: readonly string[], notice: WrittenNotice): Promise<number> {
    const found = await Promise.all(names.map((name) => this.accounts.find(name)));
    const unknown = names.filter((_, index) => !found[index]);
    if (unknown.length > 0) {
      const params = { names: unknown.slice(0, 10).join(', ') };
      throw new NotifyError('RECEIVERS_UNKNOWN', params, { user: { key: 'notify.receivers_unknown', params } });
    }
    return this.write(
      found.filter((account) => account !== null),
      notice,
    );
  }

  /** @returns number of recipients @throws NotifyError `NO_RECEIVERS` if there are none */
  async toAll(filter: NoticeAccountFilter, notice: WrittenNotice): Promise<number> {
    let count = 0;
    for (let last = 0; ;) {
      const accounts = await this.accounts.after(last, BATCH, filter);
      if (accounts.length === 0) break;
      count += await this.write(accounts, notice);
      last = accounts.at(-1)!.id;
    }
    if (count === 0) throw new NotifyError('NO_RECEIVERS');
    return count;
  }

  private write(accounts: readonly NoticeAccount[], notice: WrittenNotice): Promise<number> {
    return this.database.transaction(async () => {
      let count = 0;
      for (const account of accounts) if ((await this.writer.write(notice, await this.receivers.ofAccount(account))) !== null) count += 1;
      return count;
    });
  }
}
