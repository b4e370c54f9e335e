import { Injectable } from '@nestjs/common';

import { ZonedClock } from '../../config/index.js';
import { type EntityRows, Database } from '../../database/index.js';
import { versionOf } from '../../http/index.js';
import { DriverRegistry } from '../driver/index.js';
import { HostingNode } from '../entities/index.js';
import { HostingError } from '../hosting-errors.js';
import { shownStatus } from '../shown-status.js';
import { SitesAddress } from '../sites-address.js';
import { TrafficRepository } from '../traffic/index.js';
import { fieldsOf, holdForm, hostForm, hostRow, type ListedAccount } from '../wire/index.js';

import { HostList } from './host-list.js';

/** Converts hosts to rows of the wire format. */
@Injectable()
export class HostRows {
  private readonly nodes: EntityRows<HostingNode, 'code' | 'driver'>;

  constructor(
    private readonly list: HostList,
    private readonly sites: SitesAddress,
    private readonly database: Database,
    private readonly drivers: DriverRegistry,
    private readonly clock: ZonedClock,
    private readonly traffic: TrafficRepository,
  ) {
    this.nodes = database.entityRows(HostingNode, ['code', 'driver']);
  }

  /** Converts accounts to rows. */
  async rowsOf(accounts: readonly ListedAccount[]): Promise<Record<string, string>[]> {
    const nodes = await this.nodesOf([...new Set(accounts.map(({ nodeCode }) => nodeCode))]);
    const unenforced = new Map(nodes.map((node) => [node.code, fieldsOf(this.drivers.unenforced(node))]));
    const keeps = new Map(nodes.map((node) => [node.code, String(this.drivers.keeps(node))]));
    const here = new Set(nodes.filter(({ driver }) => driver === 'embedded').map(({ code }) => code));
    const today = this.clock.today();
    return accounts.map((account) => {
      // Assigned, not spread: copying such a wide object costs four times as much as creating it.
      const row = hostRow(account, this.sites.urlOf(account.username, here.has(account.nodeCode)), this.clock.timezone);
      row.status = shownStatus(account, today);
      // Limits its server stores but does not enforce.
      row.bzx = unenforced.get(account.nodeCode) ?? '';
      // Whether its server keeps the site when the host is deleted.
      row.hs = keeps.get(account.nodeCode) ?? 'false';
      // Whether its owner uses a second factor.
      row.f2 = String(account.secured);
      row.row_version = versionOf(hostForm(account));
      row.gqbb = versionOf(holdForm(account));
      return row;
    });
  }

  /** Returns the row of a host in any state. @throws HostingError ACCOUNT_NOT_FOUND */
  async row(id: number): Promise<Record<string, string>> {
    const account = await this.list.find(id);
    if (!account) throw new HostingError('ACCOUNT_NOT_FOUND');
    const row = (await this.rowsOf([account]))[0]!;
    const history = await this.traffic.history(id);
    row.llmax = JSON.stringify({ max: account.trafficQuotaGb, dq: account.trafficUsedBytes, statistics: false, history });
    return row;
  }

  private async nodesOf(codes: readonly string[]): Promise<Pick<HostingNode, 'code' | 'driver'>[]> {
    if (codes.length === 0) return [];
    const places = codes.map(() => '?').join(', ');
    const nodes = this.database.statement(`SELECT ${this.nodes.columns} FROM {HostingNode} WHERE {HostingNode.code} IN (${places})`);
    return (await nodes.all(...codes)).map((row) => this.nodes.read(row));
  }
}
