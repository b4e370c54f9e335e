import { Injectable } from '@nestjs/common';
import { IsIn, IsNotEmpty, IsOptional, IsString, MaxLength } from 'class-validator';
import { In } from 'typeorm';

import { Clock } from '../../common/index.js';
import { Database, EntityPages, type SqlValue } from '../../database/index.js';
import { HostingAccount } from '../../hosting/index.js';
import { EmptyIsUnset } from '../../http/index.js';
import { Notices, registerNotice } from '../../notify/index.js';
import { ListInput, Trimmed } from '../../operations/index.js';
import { MonitorInput, searchedOf } from '../records/index.js';
import { StatusPage } from '../entities/index.js';
import { MonitorError } from '../errors.js';

/** State of a customer's page: public, hidden by its owner, or disabled by an administrator. */
export const PAGE_STATES = ['public', 'hidden', 'off'] as const;

/** One of {@link PAGE_STATES}. */
export type PageState = (typeof PAGE_STATES)[number];

/** Fields of `status_list`. */
export class CustomerPageListInput extends ListInput {
  @IsOptional() @EmptyIsUnset() @IsIn(PAGE_STATES) state?: PageState;
}

/** Fields of `status_off`. */
export class SwitchOffInput extends MonitorInput {
  /** Reason shown to the owner. */
  @Trimmed() @IsString() @IsNotEmpty() @MaxLength(250) reason!: string;
}

/** A customer's page with its owner's login; empty if the account is deleted. */
export interface CustomerPage {
  readonly page: StatusPage;
  readonly user: string;
}

const SEARCHED = { user: 'user', title: 'title', slug: 'slug' };

const CONDITIONS: Readonly<Record<PageState, string>> = {
  off: '{StatusPage.offReason} IS NOT NULL',
  public: '{StatusPage.offReason} IS NULL AND {StatusPage.isPublic} = 1',
  hidden: '{StatusPage.offReason} IS NULL AND {StatusPage.isPublic} = 0',
};

for (const state of ['off', 'on'])
  registerNotice({
    kind: 'system',
    title: { key: `monitor.status_${state}_title` },
    texts: [{ key: `monitor.status_${state}_told`, params: { reason: 'phishing' } }],
  });

/** Status pages of customers, for administrators. */
@Injectable()
export class CustomerPageRepository {
  private readonly list: EntityPages<StatusPage>;

  constructor(
    private readonly database: Database,
    private readonly notices: Notices,
    private readonly clock: Clock,
  ) {
    this.list = new EntityPages(database, StatusPage);
  }

  /** Returns a page of the matching status pages, newest first. */
  async page(input: CustomerPageListInput): Promise<{ total: number; pages: CustomerPage[] }> {
    const conditions = ['{StatusPage.accountId} <> 0'];
    const params: SqlValue[] = [];
    if (input.state) conditions.push(CONDITIONS[input.state]);
    const { column, text } = searchedOf(input, SEARCHED, 'user');
    if (column) {
      conditions.push(
        column === 'user'
          ? '{StatusPage.accountId} IN (SELECT {HostingAccount.id} FROM {HostingAccount} ' +
              'WHERE INSTR({HostingAccount.userKey}, LOWER(?)) > 0)'
          : `INSTR(LOWER({StatusPage.${column}}), LOWER(?)) > 0`,
      );
      params.push(text);
    }
    const offset = (input.page - 1) * input.limit;
    const { total, rows: pages } = await this.list.page({
      conditions,
      params,
      sort: null,
      direction: input.sortOrder,
      offset,
      limit: input.limit,
    });
    const users = await this.usersOf(pages);
    return { total, pages: pages.map((page) => ({ page, user: users.get(page.accountId) ?? '' })) };
  }

  /**
   * Disables a page and notifies its owner, again if the reason changes.
   *
   * @throws MonitorError `STATUS_MISSING`
   */
  switchOff(id: number, reason: string): Promise<void> {
    return this.set(id, reason);
  }

  /** Enables a page again and notifies its owner. @throws MonitorError `STATUS_MISSING` */
  switchOn(id: number): Promise<void> {
    return this.set(id, null);
  }

  private async set(id: number, offReason: string | null): Promise<void> {
    await this.database.transaction(async () => {
      await this.database.lockRow('StatusPage', 'id', id);
      const rows = this.database.repository(StatusPage);
      const present = await rows.findOneBy({ id });
      if (!present || present.accountId === 0) throw new MonitorError('STATUS_MISSING');
      await rows.update({ id }, { offReason });
      this.database.noteChange({ of: 'status_page', id }, present, { offReason });
      if (offReason !== present.offReason) await this.notifyOwner(present, offReason);
    });
  }

  private async notifyOwner(page: StatusPage, reason: string | null): Promise<void> {
    const owner = await this.database.repository(HostingAccount).findOneBy({ id: page.accountId });
    if (!owner) return;
    const state = reason === null ? 'on' : 'off';
    await this.notices.send({
      to: { account: owner.username },
      kind: 'system',
      level: reason === null ? 'info' : 'warning',
      key: `status-page:${page.id}:${state}:${this.clock.now().toISOString()}`,
      title: { key: `monitor.status_${state}_title` },
      text: { key: `monitor.status_${state}_told`, params: { reason: reason ?? '' } },
      link: '/user/status',
    });
  }

  private async usersOf(pages: readonly StatusPage[]): Promise<Map<number, string>> {
    if (pages.length === 0) return new Map();
    const accounts = await this.database
      .repository(HostingAccount)
      .find({ select: { id: true, username: true }, where: { id: In(pages.map(({ accountId }) => accountId)) } });
    return new Map(accounts.map(({ id, username }) => [id, username]));
  }
}

/** See {@link PAGE_STATES}. */
export const stateOfPage = ({ offReason, isPublic }: StatusPage): PageState =>
  offReason !== null ? 'off' : isPublic ? 'public' : 'hidden';
