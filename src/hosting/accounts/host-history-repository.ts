import { Injectable } from '@nestjs/common';

import { changeOf, Clock } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { HostHistoryEntry, type HostingAccount } from '../entities/index.js';

/** Changes by administrators are in the operation log instead. */
const ADMIN = 'admin';
/** Hooks recorded in the history of a host. */
const HOOKS: readonly string[] = ['host.created', 'host.paused', 'host.unpaused', 'host.renewed', 'host.package.changed'];
const LIMITS: readonly (keyof HostingAccount)[] = ['webQuotaMb', 'databaseQuotaMb', 'trafficQuotaGb', 'domainQuota', 'monitorQuota'];
/** Maximum number of entries per host; older ones are deleted. */
const MAX_ENTRIES = 1_000;

/** Records what happens to hosts other than by an administrator, in the transaction of the change. */
@Injectable()
export class HostHistoryRepository {
  private readonly forget;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    this.forget = database.statement(
      `DELETE FROM {HostHistoryEntry} WHERE {HostHistoryEntry.hostId} = ? AND {HostHistoryEntry.id} <= COALESCE((SELECT last FROM
        (SELECT {HostHistoryEntry.id} AS last FROM {HostHistoryEntry} WHERE {HostHistoryEntry.hostId} = ?
        ORDER BY {HostHistoryEntry.id} DESC LIMIT 1 OFFSET ${MAX_ENTRIES}) AS kept), 0)`,
    );
  }

  private get rows() {
    return this.database.repository(HostHistoryEntry);
  }

  /** Records an event if its hook belongs in the history. @param row as listeners receive it */
  async ofEvent(hook: string, hostId: number, source: string, row: Record<string, unknown>): Promise<void> {
    if (source === ADMIN || !HOOKS.includes(hook)) return;
    const named = {
      reasons: row.ztyy,
      from: row.old_date ?? row.old_package,
      to: row.new_date ?? row.new_package,
    };
    const params = Object.fromEntries(Object.entries(named).filter((pair): pair is [string, string] => typeof pair[1] === 'string'));
    await this.add({ hostId, what: hook, source, params, changes: null });
  }

  /** Records which server was chosen for a host, also for administrators: the operation log does not say which rule chose it. */
  ofPlacement(hostId: number, source: string, params: Record<'server' | 'rule' | 'group', string>): Promise<void> {
    return this.add({ hostId, what: 'host.placed', source, params, changes: null });
  }

  /** Records changed limits. */
  async ofLimits(before: HostingAccount, after: HostingAccount, source: string): Promise<void> {
    const change = changeOf({ of: 'host', id: before.id, only: LIMITS }, before, after);
    if (source === ADMIN || change === null) return;
    await this.add({ hostId: before.id, what: 'host.limits', source, params: {}, changes: [change] });
  }

  /** Deletes the history of a deleted host. */
  async forgetHost(hostId: number): Promise<void> {
    await this.rows.delete({ hostId });
  }

  private async add(entry: Omit<HostHistoryEntry, 'id' | 'createdAt'>): Promise<void> {
    await this.rows.insert({ ...entry, createdAt: this.clock.now() });
    await this.forget.run(entry.hostId, entry.hostId);
  }
}
