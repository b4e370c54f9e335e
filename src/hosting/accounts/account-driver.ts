import { Injectable } from '@nestjs/common';

import type { TextParams, TextRef } from '../../common/index.js';
import { Database } from '../../database/index.js';
import {
  type BinPort,
  callDriver,
  callUntilCertain,
  DONE,
  type DriverAccount,
  type DriverQuota,
  DriverNodes,
  DriverRegistry,
  type DriverResult,
  type HostDriver,
  type IdleSign,
  type PortProblem,
  type RemoteSite,
  serverProblemText,
  type SiteStatus,
  type SiteSwitch,
  succeeded,
} from '../driver/index.js';
import { type BinnedSite, type HostingAccount, HostingNode } from '../entities/index.js';
import { lastDayOf } from '../calendar.js';
import { HostingError } from '../hosting-errors.js';

/** The driver of an account together with the account data passed to that driver. */
export class BoundDriver {
  constructor(
    readonly driver: HostDriver,
    readonly account: DriverAccount,
    /** Whether the web site runs while the account is active. */
    private readonly site: SiteSwitch,
  ) {}

  create(account: HostingAccount, password: string | null): Promise<DriverResult<{ siteId: string }>> {
    const site = { ...this.account, password, quota: quotaOf(account), expiresOn: lastDayOf(account) };
    return this.run((deadline) => this.driver.create(site, deadline));
  }

  /**
   * Checks whether the server could create a site with these names, without changing anything. Drivers without the check accept any name.
   */
  async fits(): Promise<DriverResult> {
    const { fits } = this.driver;
    return fits ? callDriver((deadline) => fits(this.account, deadline)) : DONE;
  }

  /** @throws HostingError PORT_MISSING for a driver that does not support adopting sites */
  adopt(account: HostingAccount, password: string, from: RemoteSite): Promise<DriverResult<{ siteId: string }>> {
    const { driver } = this;
    if (!driver.adopt) throw new HostingError('PORT_MISSING');
    const site = { ...this.account, password, quota: quotaOf(account), expiresOn: lastDayOf(account) };
    return this.run((deadline) => driver.adopt!(site, from, deadline));
  }

  suspend(reason: string): Promise<DriverResult> {
    return this.run(
      (deadline) => this.driver.suspend(this.account, reason, deadline),
      (status) => doneIf(status?.suspended === true),
    );
  }

  unsuspend(): Promise<DriverResult> {
    return this.run(
      (deadline) => this.driver.unsuspend(this.account, this.site, deadline),
      (status) => doneIf(status?.suspended === false && status.running === (this.site === 'running')),
    );
  }

  start(): Promise<DriverResult> {
    return this.run(
      (deadline) => this.driver.start(this.account, deadline),
      (status) => doneIf(status?.running === true),
    );
  }

  stop(): Promise<DriverResult> {
    return this.run(
      (deadline) => this.driver.stop(this.account, deadline),
      (status) => doneIf(status?.running === false),
    );
  }

  renew(expiresOn: string | null): Promise<DriverResult> {
    return this.run((deadline) => this.driver.renew(this.account, expiresOn, deadline));
  }

  changeQuota(quota: DriverQuota): Promise<DriverResult> {
    return this.run((deadline) => this.driver.changeQuota(this.account, quota, deadline));
  }

  /** Sends the limits stored in the row. */
  changeLimits(account: HostingAccount): Promise<DriverResult> {
    return this.changeQuota(quotaOf(account));
  }

  changePassword(password: string): Promise<DriverResult> {
    return this.run((deadline) => this.driver.changePassword(this.account, password, deadline));
  }

  terminate(): Promise<DriverResult> {
    return this.run(
      (deadline) => this.driver.terminate(this.account, deadline),
      (status) => (status === null ? { outcome: 'not_found' } : null),
    );
  }

  /** Whether the server keeps deleted sites in a recycle bin. */
  get keeps(): boolean {
    return this.driver.bin !== undefined;
  }

  /** Checks whether this deleted site is in the server's recycle bin. */
  isKept(): Promise<DriverResult<boolean>> {
    return callDriver((deadline) => this.bin.has(this.account, deadline));
  }

  /** Makes a site from the recycle bin the site of this account. */
  restore(kept: BoundDriver): Promise<DriverResult> {
    return this.run((deadline) => this.bin.restore(kept.account, this.account, deadline));
  }

  /** Permanently deletes this site from the server's recycle bin. @param limitMs timeout in milliseconds */
  purge(limitMs?: number): Promise<DriverResult> {
    return callDriver((deadline) => this.bin.purge(this.account, deadline), limitMs);
  }

  /** Reads the state of the site; the only call that is never retried. */
  sync(): Promise<DriverResult<SiteStatus>> {
    return callDriver((deadline) => this.driver.sync(this.account, deadline));
  }

  /** Returns the name of the site's database user; empty if it has none, null if the server does not answer. */
  async databaseUser(): Promise<string | null> {
    const { database } = this.driver;
    if (!database) return '';
    const found = await callDriver((deadline) => database.find(this.account, deadline));
    if (succeeded(found)) return found.value.username;
    return found.outcome === 'refused' && found.problem?.code === 'DATABASE_NONE' ? '' : null;
  }

  /** Returns the traffic sent in a month; null if the server does not count it. */
  async traffic(month: string): Promise<DriverResult<number> | null> {
    const { traffic } = this.driver;
    return traffic ? callDriver((deadline) => traffic.ofMonth(this.account, month, deadline)) : null;
  }

  /** Returns the signs that the site is unused. */
  idle(): Promise<DriverResult<readonly IdleSign[]>> {
    return callDriver((deadline) => this.driver.idle(this.account, deadline));
  }

  /** @throws HostingError PORT_MISSING */
  private get bin(): BinPort {
    if (!this.driver.bin) throw new HostingError('PORT_MISSING');
    return this.driver.bin;
  }

  private run<Value>(
    call: (deadline: AbortSignal) => Promise<DriverResult<Value>>,
    isDone?: (status: SiteStatus | null) => DriverResult<Value> | null,
  ): Promise<DriverResult<Value>> {
    return callUntilCertain(this.driver, this.account, call, isDone);
  }
}

/** Finds the driver of an account. */
@Injectable()
export class AccountDrivers {
  private readonly rows;
  private readonly node;

  constructor(
    private readonly database: Database,
    private readonly registry: DriverRegistry,
    private readonly nodes: DriverNodes,
  ) {
    this.rows = database.entityRows(HostingNode);
    this.node = database.statement(`SELECT ${this.rows.columns} FROM {HostingNode} WHERE {HostingNode.code} = ?`);
  }

  /** @throws HostingError NODE_NOT_FOUND, DRIVER_MISSING; Error inside a transaction, where server calls are not allowed */
  of(account: HostingAccount): Promise<BoundDriver> {
    return this.bind(account);
  }

  /** Returns the driver of a deleted site that has no account any more. @throws as {@link of} */
  ofKept({ hostId, ...kept }: Pick<BinnedSite, 'hostId' | 'nodeCode' | 'username' | 'siteName' | 'siteId'>): Promise<BoundDriver> {
    return this.bind({ ...kept, id: hostId, siteStopped: false });
  }

  private async bind(
    account: Pick<HostingAccount, 'id' | 'nodeCode' | 'username' | 'siteName' | 'siteId' | 'siteStopped'>,
  ): Promise<BoundDriver> {
    if (this.database.inTransaction) throw new Error('A hosting server is never called inside a database transaction.');
    const row = await this.node.get(account.nodeCode);
    if (!row) throw new HostingError('NODE_NOT_FOUND', { code: account.nodeCode });
    const node = this.rows.read(row);
    const known: DriverAccount = {
      node: this.nodes.of(node),
      username: account.username,
      siteName: account.siteName,
      siteId: account.siteId,
      ownerMark: ownerMarkOf(account),
    };
    return new BoundDriver(this.registry.driverOf(node), known, account.siteStopped ? 'stopped' : 'running');
  }
}

/** A call need not be retried when `sync` shows that it took effect. */
function doneIf(happened: boolean): DriverResult | null {
  return happened ? DONE : null;
}

/** Quota of an account in the form drivers take. */
export function quotaOf(account: HostingAccount): DriverQuota {
  return {
    webMb: account.webQuotaMb,
    databaseMb: account.databaseQuotaMb,
    trafficGb: account.trafficQuotaGb,
    domains: account.domainQuota,
  };
}

/** Turns the result of a failed call into the error reported to the caller. */
export function driverError(result: DriverResult<unknown>, refused: 'NODE_REFUSED' | 'CREATION_REFUSED' = 'NODE_REFUSED'): HostingError {
  switch (result.outcome) {
    case 'unreachable':
      return new HostingError('NODE_UNREACHABLE');
    case 'unknown':
      return new HostingError('NODE_UNCERTAIN');
    case 'refused':
      if (result.problem?.code === 'PANEL_DISK') return new HostingError('PANEL_DISK');
      return new HostingError(refused, { text: refusalText(result) });
    case 'not_found':
      return new HostingError('SITE_MISSING');
    default:
      throw new Error(`A call with the outcome "${result.outcome}" is not an error.`);
  }
}

/**
 * Turns the refusal of a port into an error: one with the port's own code, or one of the general server problems. A code that is neither is
 * a bug in the driver and becomes a plain `Error`.
 *
 * @param own object whose keys are the codes of the port
 * @param make makes the error for one of these codes
 */
export function portError<Code extends string>(
  problem: PortProblem,
  own: Readonly<Record<Code, unknown>>,
  make: (code: Code, params: TextParams) => Error,
): Error {
  const { code, params = {} } = problem;
  if (Object.hasOwn(own, code)) return make(code as Code, params);
  return serverProblemText(code) === null
    ? new Error(`A driver refused with the code ${code}.`)
    : driverError({ outcome: 'refused', message: code, problem });
}

/** Problems any server can report are translated; other messages are shown as the server sent them. */
export function refusalText({ message, problem }: Extract<DriverResult, { problem?: unknown }>): string | TextRef {
  const key = problem ? serverProblemText(problem.code) : null;
  return key === null ? message : { key, params: problem?.params ?? {} };
}

/** Returns the mark an account's site carries on its server. */
export const ownerMarkOf = ({ id, siteName }: Pick<HostingAccount, 'id' | 'siteName'>): string => `host:${id}:${siteName}`;
