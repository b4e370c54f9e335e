import { randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';

import { ZonedClock } from '../../config/index.js';
import { Database, isUniqueViolation } from '../../database/index.js';
import { EventOutbox } from '../../hooks/index.js';
import type { DurableHook, HookArguments, HostRecord } from '../../sdk/index.js';
import { HostingAccount } from '../entities/index.js';
import type { PlacedServer } from '../placement/index.js';
import { newSiteName, SitesAddress } from '../sites-address.js';
import { hostRow } from '../wire/index.js';

import { HostHistoryRepository } from './host-history-repository.js';
import { checkTransition } from './state-machine.js';

/** How long a claim lasts unless renewed, in milliseconds; also how long the accounts of a crashed process stay locked. */
export const CLAIM_MS = 10_000;

/** Maximum number of accounts listed by id in one call. */
const MAX_LISTED = 10_000;
const IDS_PER_QUERY = 500;

/** Columns a change may set. */
export type AccountChange = Partial<Omit<HostingAccount, 'id' | 'node' | 'claimedBy' | 'claimedUntil'>>;

/** Fields logged for a new account. */
const LOGGED_FIELDS: readonly (keyof HostingAccount)[] = [
  ...(['username', 'nodeCode', 'siteName', 'expiresOn', 'email'] as const),
  ...(['webQuotaMb', 'databaseQuotaMb', 'trafficQuotaGb', 'domainQuota', 'monitorQuota', 'backupQuota'] as const),
];

/** Thrown when another process took over the claim of a change. */
export class ClaimLost extends Error {}

/** Reads and writes rows of hosting accounts: claims, changes with their events, removal. */
@Injectable()
export class AccountStore {
  private readonly entities;
  private readonly findById;
  private readonly findOwnServer;
  private readonly claimFree;
  private readonly claimStale;
  private readonly prolongClaim;
  private readonly endClaim;
  private readonly deleteSessions;
  private readonly deleteDevices;
  private readonly deleteLinks;

  constructor(
    readonly database: Database,
    private readonly clock: ZonedClock,
    private readonly outbox: EventOutbox,
    private readonly sites: SitesAddress,
    private readonly history: HostHistoryRepository,
  ) {
    this.entities = database.entityRows(HostingAccount);
    this.findById = database.statement(`SELECT ${this.entities.columns} FROM {HostingAccount} WHERE {HostingAccount.id} = ?`);
    const set = 'UPDATE {HostingAccount} SET {HostingAccount.claimedBy} = ?, {HostingAccount.claimedUntil} = ?';
    this.findOwnServer = database.statement(
      `SELECT {HostingNode.code} AS code FROM {HostingNode} WHERE {HostingNode.code} = ? AND {HostingNode.driver} = 'embedded'`,
    );
    this.claimFree = database.statement(`${set} WHERE {HostingAccount.id} = ? AND {HostingAccount.claimedUntil} IS NULL`);
    this.claimStale = database.statement(
      `${set} WHERE {HostingAccount.id} = ? AND {HostingAccount.claimedBy} = ? AND {HostingAccount.claimedUntil} <= ?`,
    );
    this.prolongClaim = database.statement(
      `UPDATE {HostingAccount} SET {HostingAccount.claimedUntil} = ? WHERE {HostingAccount.id} = ? AND {HostingAccount.claimedBy} = ?`,
    );
    this.endClaim = database.statement(`${set} WHERE {HostingAccount.id} = ? AND {HostingAccount.claimedBy} = ?`);
    this.deleteSessions = database.statement(`DELETE FROM {Session} WHERE {Session.scope} = 'user' AND {Session.subjectId} = ?`);
    this.deleteDevices = database.statement("DELETE FROM {KnownDevice} WHERE {KnownDevice.side} = 'user' AND {KnownDevice.accountId} = ?");
    this.deleteLinks = database.statement('DELETE FROM {LoginLink} WHERE {LoginLink.accountId} = ?');
  }

  private get rows() {
    return this.database.repository(HostingAccount);
  }

  /** Uses a prepared statement, because every site job and most operations call it. */
  async find(id: number): Promise<HostingAccount | null> {
    const row = await this.findById.get(id);
    return row ? this.entities.read(row) : null;
  }

  /** Returns the existing accounts of these ids, sorted by id. @throws RangeError for more than {@link MAX_LISTED} */
  async findMany(ids: readonly number[]): Promise<HostingAccount[]> {
    if (ids.length > MAX_LISTED) throw new RangeError(`At most ${MAX_LISTED} accounts are listed at once.`);
    const sorted = [...new Set(ids)].sort((one, other) => one - other);
    const found: HostingAccount[] = [];
    for (let at = 0; at < sorted.length; at += IDS_PER_QUERY) {
      found.push(...(await this.rows.find({ where: { id: In(sorted.slice(at, at + IDS_PER_QUERY)) }, order: { id: 'ASC' } })));
    }
    return found;
  }

  findByUser(user: string): Promise<HostingAccount | null> {
    return this.rows.findOneBy({ userKey: user.toLowerCase() });
  }

  findByRequest(requestKey: string): Promise<HostingAccount | null> {
    return this.rows.findOneBy({ requestKey });
  }

  /** Ids of accounts whose claim expired after a crash or an uncertain outcome, oldest first. */
  async stale(limit: number): Promise<number[]> {
    const rows = await this.database
      .statement<{ id: number }>(
        `SELECT {HostingAccount.id} AS id FROM {HostingAccount} WHERE {HostingAccount.claimedUntil} <= ?
         ORDER BY {HostingAccount.claimedUntil}, {HostingAccount.id} LIMIT ${limit}`,
      )
      .all(this.clock.now());
    return rows.map((row) => row.id);
  }

  /**
   * Inserts a new account, claimed by the caller; returns null when its name or request key is taken.
   *
   * @param siteName name of an existing site; a new one is generated otherwise
   */
  async insert(
    values: Omit<AccountChange, 'createdAt' | 'usageDueAt' | 'siteName' | 'state' | 'holdUntil'>,
    siteName = newSiteName(),
  ): Promise<HostingAccount | null> {
    const account = this.rows.create({
      ...values,
      pauseReasons: [],
      holdUntil: null,
      state: 'provisioning',
      siteName,
      createdAt: this.clock.now(),
      usageDueAt: this.clock.now(),
      claimedBy: newToken(),
      claimedUntil: this.claimEnd(),
    });
    try {
      await this.rows.insert(account);
      this.database.noteChange({ of: 'host', id: account.id, only: LOGGED_FIELDS }, null, account);
      return account;
    } catch (error) {
      if (isUniqueViolation(error)) return null;
      throw error;
    }
  }

  /**
   * Claims the account for one change.
   *
   * @returns the row under the claim and whether an earlier change did not end cleanly; `busy` while another change holds the claim; `gone`
   *   when the account does not exist
   */
  async claim(id: number): Promise<{ account: HostingAccount; interrupted: boolean } | 'busy' | 'gone'> {
    const before = await this.find(id);
    if (!before) return 'gone';
    const interrupted = before.claimedUntil !== null;
    const token = newToken();
    const { affected } = interrupted
      ? await this.claimStale.run(token, this.claimEnd(), id, before.claimedBy, this.clock.now())
      : await this.claimFree.run(token, this.claimEnd(), id);
    if (!affected) return 'busy';
    const account = await this.find(id);
    return account?.claimedBy === token ? { account, interrupted } : 'busy';
  }

  /** Renews the claim while `work` runs. */
  async whileClaimed<T>(account: HostingAccount, work: () => Promise<T>): Promise<T> {
    const timer = setInterval(() => {
      // A lost claim is detected when the change is written.
      this.prolongClaim.run(this.claimEnd(), account.id, account.claimedBy).catch(() => undefined);
    }, CLAIM_MS / 3);
    try {
      return await work();
    } finally {
      clearInterval(timer);
    }
  }

  /** Ends a claim that changed nothing. */
  async release(account: HostingAccount): Promise<void> {
    await this.endClaim.run(null, null, account.id, account.claimedBy);
  }

  /** Ends a claim whose outcome is unknown: the next change reconciles server and row first. */
  async releaseUncertain(account: HostingAccount): Promise<void> {
    await this.endClaim.run(account.claimedBy, this.clock.now(), account.id, account.claimedBy);
  }

  /** Writes a change; with `final` it ends the claim. @throws ClaimLost when another process took over the account */
  async change(account: HostingAccount, values: AccountChange, final: boolean): Promise<void> {
    if (values.state !== undefined) checkTransition(account.state, values.state);
    const ended = final ? { claimedBy: null, claimedUntil: null } : {};
    const { affected } = await this.rows.update({ id: account.id, claimedBy: account.claimedBy! }, { ...values, ...ended });
    if (affected === 0) throw new ClaimLost();
  }

  /** Deletes the row. @throws ClaimLost when another process took over the account */
  async remove(account: HostingAccount): Promise<void> {
    checkTransition(account.state, 'none');
    const { affected } = await this.rows.delete({ id: account.id, claimedBy: account.claimedBy! });
    if (affected === 0) throw new ClaimLost();
    await this.history.forgetHost(account.id);
  }

  /** Ends all sessions and login links of the account, in the caller's transaction. */
  async endSessions(accountId: number): Promise<void> {
    await this.deleteSessions.run(accountId);
    await this.deleteLinks.run(accountId);
  }

  /** Deletes the known devices of the account, in the caller's transaction. */
  async forgetDevices(accountId: number): Promise<void> {
    await this.deleteDevices.run(accountId);
  }

  /**
   * Records an event of this account in the caller's transaction.
   *
   * @param account as it is after the change: listeners receive this row
   * @param extra additional fields of that row
   */
  async record<H extends DurableHook>(
    hook: H,
    account: HostingAccount,
    source: string,
    args: HookArguments<H>,
    extra: Record<string, unknown> = {},
  ): Promise<void> {
    const row = { ...hostRow(account, await this.urlOf(account), this.clock.timezone), ...extra };
    await this.outbox.record({ hook, subject: `host:${account.id}`, source, args, row });
    await this.history.ofEvent(hook, account.id, source, row);
  }

  /** Adds to the host's history which server was chosen for it, and by which rule; in the caller's transaction. */
  recordPlacement(account: HostingAccount, { code, by }: PlacedServer, source: string): Promise<void> {
    return this.history.ofPlacement(account.id, source, { server: code, rule: by?.rule ?? '', group: by?.group ?? '' });
  }

  /** Adds changed limits to the host's history, in the caller's transaction. */
  recordLimits(before: HostingAccount, after: HostingAccount, source: string): Promise<void> {
    return this.history.ofLimits(before, after, source);
  }

  /** Converts an account to the record that plugins and pages receive. */
  async toRecord(account: HostingAccount): Promise<HostRecord> {
    return recordOf(account, await this.urlOf(account));
  }

  /** Converts several accounts, with one query per server. */
  async toRecords(accounts: readonly HostingAccount[]): Promise<HostRecord[]> {
    const own = new Set<string>();
    for (const code of new Set(accounts.map(({ nodeCode }) => nodeCode))) if (await this.findOwnServer.get(code)) own.add(code);
    return accounts.map((account) => recordOf(account, this.sites.urlOf(account.username, own.has(account.nodeCode))));
  }

  private async urlOf({ username, nodeCode }: HostingAccount): Promise<string> {
    return this.sites.urlOf(username, (await this.findOwnServer.get(nodeCode)) !== undefined);
  }

  private claimEnd(): Date {
    return new Date(this.clock.now().getTime() + CLAIM_MS);
  }
}

function newToken(): string {
  return randomBytes(16).toString('hex');
}

function recordOf(account: HostingAccount, url: string): HostRecord {
  return {
    id: account.id,
    user: account.username,
    node: account.nodeCode,
    status: account.state === 'terminating' ? 'paused' : account.state,
    pauseReasons: [...account.pauseReasons],
    // After an insert, MariaDB returns booleans as stored there, as numbers.
    siteStopped: Boolean(account.siteStopped),
    expiresOn: account.expiresOn,
    graceDays: account.graceDays,
    holdUntil: account.holdUntil,
    ownerId: account.ownerId,
    url,
    webMb: account.webQuotaMb,
    databaseMb: account.databaseQuotaMb,
    trafficGb: account.trafficQuotaGb,
    domains: account.domainQuota,
    monitors: account.monitorQuota,
    backups: account.backupQuota,
    package: account.packageKey,
    createdAt: account.createdAt.toISOString(),
  };
}
