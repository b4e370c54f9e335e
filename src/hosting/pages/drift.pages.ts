import { Controller } from '@nestjs/common';

import { accessOf } from '../../auth/index.js';
import { legacyTime } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import { Database } from '../../database/index.js';
import type { RequestContext } from '../../operations/index.js';
import { Page, PageMissing, defineList } from '../../web/index.js';
import { NodeDifferences } from '../drift/index.js';
import { HostingNode } from '../entities/index.js';

/** Differences that a repair fixes without affecting anything else. */
const REPAIRABLE: readonly string[] = ['differing', 'moved', 'domains', 'settings', 'certificate'];
const isOpen = (zt: unknown): boolean => zt === 'open' || zt === 'failed';

const DIFFERENCES = defineList({
  id: 'differences',
  operation: 'listbtzj',
  given: ['id'],
  empty: 'drift.empty',
  columns: [
    { field: 'site', title: 'drift.site', kind: 'code' },
    { field: 'user', title: 'hosts.user', whole: true },
    {
      field: 'lx',
      title: 'drift.difference',
      kind: 'badge',
      badges: {
        missing: ['red', 'drift.missing'],
        differing: ['yellow', 'drift.differing'],
        moved: ['yellow', 'drift.moved'],
        domains: ['yellow', 'drift.domains'],
        settings: ['yellow', 'drift.settings'],
        certificate: ['yellow', 'drift.certificate'],
        foreign: ['red', 'drift.foreign'],
        unknown: ['secondary', 'drift.unknown'],
      },
    },
    {
      field: 'zt',
      title: 'drift.state',
      kind: 'badge',
      badges: { open: ['secondary', 'drift.open'], done: ['green', 'drift.done'], failed: ['red', 'drift.failed'] },
    },
    { field: 'yy', title: 'bulk.reason' },
  ],
  actions: [
    {
      label: 'drift.make_again',
      when: (row) => row.lx === 'missing' && isOpen(row.zt),
      tone: 'primary',
      operation: 'zjtb',
      confirm: 'drift.make_again_confirm',
    },
    {
      label: 'drift.repair',
      when: (row) => REPAIRABLE.includes(String(row.lx)) && isOpen(row.zt),
      tone: 'primary',
      operation: 'zjtb',
    },
    {
      label: 'drift.adopt',
      when: (row) => row.jg === 'true',
      tone: 'primary',
      dialog: 'adopt-site',
      operation: 'zjdr',
      fills: ['site', 'user'],
    },
    { label: 'hosts.open', when: (row) => row.id !== '0', operation: 'listzjls', href: (row) => `/admin/host?id=${String(row.id)}` },
    {
      label: 'hosts.delete',
      when: (row) => row.lx === 'missing' && isOpen(row.zt),
      tone: 'danger',
      operation: 'zjsc',
      confirm: 'drift.delete_confirm',
    },
  ],
});

/** Page of the differences between a server and the panel. */
@Controller()
export class DriftPages {
  constructor(
    private readonly differences: NodeDifferences,
    private readonly database: Database,
    private readonly config: AppConfig,
  ) {}

  @Page({ side: 'admin', path: 'server-drift', title: 'hosting.menu.servers', lists: [DIFFERENCES] })
  async page({ query, admin }: RequestContext): Promise<object> {
    const id = Number(query.id) || 0;
    const { servers } = accessOf(admin);
    const node = servers === null || servers.includes(id) ? await this.database.repository(HostingNode).findOneBy({ id }) : null;
    if (!node) throw new PageMissing();
    const task = await this.differences.last(id);
    const running = task?.state === 'waiting' || task?.state === 'running';
    return {
      server: { id, code: node.code },
      repairable: !running && (await this.differences.hasOpen(id)),
      task: task && {
        running,
        failed: task.state === 'failed' || task.state === 'cancelled',
        is_repair: (task.payload as { isRepair: boolean }).isRepair,
        done: task.progress?.done ?? 0,
        total: task.progress?.total ?? 0,
        date: task.endedAt ? legacyTime(task.endedAt, this.config.timezone) : '',
        error: task.error ?? '',
        report: task.state === 'done' ? task.result : null,
      },
    };
  }
}
