import { Controller } from '@nestjs/common';

import { versioned } from '../../http/index.js';
import { SiteSettings } from '../../site/index.js';
import { Page, defineList, type ListRow } from '../../web/index.js';
import { DeletionCap } from '../accounts/index.js';
import { binForm } from '../bin/index.js';

const isKept = (row: ListRow): boolean => row.state === 'kept';

const RECYCLE_BIN = defineList({
  id: 'recycle-bin',
  operation: 'lisths',
  empty: 'bin.empty',
  keyword: 'ss',
  columns: [
    { field: 'user', title: 'hosts.user', whole: true },
    { field: 'server', title: 'hosts.node', whole: true },
    { field: 'mb', title: 'bin.megabytes' },
    { field: 'deleted_at', title: 'bin.deleted_at', kind: 'moment' },
    { field: 'deleted_by', title: 'bin.deleted_by' },
    { field: 'purge_after', title: 'bin.purge_after', kind: 'moment' },
    {
      field: 'state',
      title: 'hosts.status',
      kind: 'badge',
      badges: {
        kept: ['green', 'bin.state_kept'],
        restoring: ['blue', 'bin.state_restoring'],
        purging: ['red', 'bin.state_purging'],
      },
    },
  ],
  actions: [
    {
      label: 'bin.restore',
      when: isKept,
      tone: 'primary',
      dialog: 'restore-site',
      operation: 'zjhf',
      fills: ['id', 'user', 'free_user', 'datae'],
    },
    { label: 'bin.purge', when: isKept, tone: 'danger', operation: 'zjqc', confirm: 'bin.purge_confirm' },
  ],
});

/** Page of deleted sites, and of deletions that wait for approval. */
@Controller()
export class BinPages {
  constructor(
    private readonly settings: SiteSettings,
    private readonly cap: DeletionCap,
  ) {}

  @Page({ side: 'admin', path: 'recycle-bin', title: 'hosting.menu.recycle_bin', lists: [RECYCLE_BIN] })
  async recycleBin(): Promise<object> {
    const { waiting, most, releasedBy, jump } = await this.cap.state();
    return { ...versioned(binForm(this.settings.current)), waiting, most, is_released: releasedBy !== null, has_jumped: jump !== null };
  }
}
