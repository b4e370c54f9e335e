import { Controller } from '@nestjs/common';

import { SiteSettings } from '../../site/index.js';
import { Page, defineList, type ListRow } from '../../web/index.js';
import { QuarantineList } from '../scans/index.js';

const isHere = (row: ListRow): boolean => row.state === 'held' || row.state === 'failed';

const FILES = defineList({
  id: 'quarantine',
  operation: 'listwjgl',
  sort: '-id',
  empty: 'quarantine.empty',
  columns: [
    { field: 'created_at', title: 'scans.date', kind: 'moment' },
    { field: 'user', title: 'scans.host', kind: 'named', notes: [{ text: (row) => String(row.node_name) }] },
    { field: 'target', title: 'scans.file', kind: 'code' },
    { field: 'keyword', title: 'scans.keyword' },
    {
      field: 'state',
      title: 'scans.status',
      kind: 'badge',
      badges: {
        moving: ['secondary', 'quarantine.moving'],
        held: ['yellow', 'quarantine.held'],
        restoring: ['secondary', 'quarantine.restoring'],
        restored: ['green', 'quarantine.restored'],
        deleting: ['secondary', 'quarantine.deleting'],
        deleted: ['secondary', 'quarantine.deleted'],
        failed: ['red', 'quarantine.failed'],
      },
    },
    { field: 'error', title: 'quarantine.error' },
    { field: 'until', title: 'quarantine.until', kind: 'moment' },
  ],
  actions: [
    { label: 'quarantine.restore', when: isHere, operation: 'wjglhf', confirm: 'quarantine.restore_confirm' },
    { label: 'scans.allow', operation: 'wjbmdtj', dialog: 'allow', fills: ['keyword', 'user', 'target'] },
    { label: 'quarantine.delete', tone: 'danger', when: isHere, operation: 'wjglsc', confirm: 'quarantine.delete_confirm' },
  ],
});

/** Page of quarantined files. */
@Controller()
export class QuarantinePages {
  constructor(
    private readonly files: QuarantineList,
    private readonly settings: SiteSettings,
  ) {}

  @Page({ side: 'admin', path: 'quarantine', title: 'node.menu.quarantine', lists: [FILES] })
  async quarantine(): Promise<object> {
    return { kept_days: this.settings.current.quarantineDays, unable: await this.files.unable() };
  }
}
