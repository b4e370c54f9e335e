import type { IncomingMessage, ServerResponse } from 'node:http';

import { Controller, Get, Req, Res, UseGuards } from '@nestjs/common';

import { legacyTime, localeOf, translate } from '../common/index.js';
import { AppConfig } from '../config/index.js';
import { Limited, sendLocalRedirect, versionOf } from '../http/index.js';
import { AdminGuard, callOf, Needs, type RequestContext, sendRouteResult } from '../operations/index.js';
import { ACTIVITY_MENU, defineList, Page, PageRedirect } from '../web/index.js';

import { BackupMaker } from './backup-maker.js';
import { backupForm } from './backup.operations.js';
import { BackupRecords } from './backup-records.js';
import { BackupSchedule } from './backup-schedule.js';
import { BackupError } from './errors.js';
import { storageOf } from './backup-storage.js';
import { PreparedRestore } from './restore/prepared-restore.js';
import { RestoredState, type RestoredNumber } from './restored-state.js';

const BACKUPS = defineList({
  id: 'backups',
  operation: 'bflist',
  empty: 'backups.empty',
  columns: [
    { field: 'mc', title: 'backups.name', kind: 'named', notes: [{ text: (row) => String(row.cw ?? ''), tone: 'danger' }] },
    {
      field: 'zt',
      title: 'backups.state',
      kind: 'badge',
      badges: { running: ['blue', 'backups.running'], done: ['green', 'backups.done'], failed: ['red', 'backups.failed'] },
    },
    {
      field: 'fs',
      title: 'backups.cause',
      kind: 'badge',
      badges: {
        schedule: ['secondary', 'backups.by_schedule'],
        hand: ['secondary', 'backups.by_hand'],
        terminal: ['secondary', 'backups.by_terminal'],
      },
    },
    { field: 'date', title: 'backups.date', kind: 'moment' },
    { field: 'hs', title: 'backups.took' },
    { field: 'hang', title: 'backups.rows' },
    { field: 'wj', title: 'backups.files' },
    { field: 'dx', title: 'backups.size', whole: true },
  ],
  actions: [
    { label: 'backups.fetch', when: (row) => row.zt === 'done', operation: 'bfxz', opens: 'url', then: 'nothing' },
    {
      label: 'backups.check',
      when: (row) => row.zt === 'done',
      operation: 'bfjc',
      href: (row) => `/admin/backup-restore?id=${String(row.id)}`,
    },
    { label: 'backups.remove', when: (row) => row.zt !== 'running', operation: 'bfsc', confirm: 'backups.remove_confirm', tone: 'danger' },
  ],
});

/** Command for restoring on a new machine, where no page can ask for the recovery key. */
const RESTORE_COMMAND = 'npm run svc -- restore svc-….tar.gz.age';

/** Administrator pages for backups and for a restored installation. */
@Controller()
export class BackupPages {
  constructor(
    private readonly config: AppConfig,
    private readonly records: BackupRecords,
    private readonly maker: BackupMaker,
    private readonly schedule: BackupSchedule,
    private readonly restored: RestoredState,
  ) {}

  @Page({ side: 'admin', path: 'backups', title: 'backup.menu.backups', menu: { under: ACTIVITY_MENU, order: 50 }, lists: [BACKUPS] })
  async backups(): Promise<object> {
    const { recipient, dailyAt, keep } = await this.records.setting();
    const [[newest]] = await this.records.list(0, 1);
    const { kind, shown } = storageOf(this.config);
    const { plan } = new PreparedRestore(this.config.dataDir);
    return {
      has_key: recipient !== null,
      daily_at: dailyAt,
      keep,
      row_version: versionOf(backupForm({ dailyAt, keep })),
      place: { kind, shown },
      restore_command: RESTORE_COMMAND,
      ready: plan && { id: plan.id, name: plan.backup },
      running: newest?.state === 'running' || (await this.schedule.isOrdered()),
    };
  }

  @Page({ side: 'admin', path: 'restored', title: 'backup.menu.restored', needs: ['bffx'] })
  async afterRestore(call: RequestContext): Promise<object> {
    const view = await this.restored.view();
    if (!view) throw new PageRedirect('/admin/backups');
    const { timezone, dataDir } = this.config;
    const { outcome } = new PreparedRestore(dataDir);
    const isOfPage = outcome?.problem === null && Math.abs(Date.parse(outcome.at) - view.restoredAt.getTime()) < 2_000;
    const shownNumbers = (numbers: readonly RestoredNumber[]): object[] =>
      numbers.map(({ text, count }) => ({ text: translate(localeOf(call.locale), text), count }));
    return {
      kept: isOfPage ? { safety: outcome.safety, folder: dataDir } : null,
      hours: view.hours,
      content: shownNumbers(view.content),
      would: shownNumbers(view.would),
      made_at: legacyTime(view.madeAt, timezone),
      restored_at: legacyTime(view.restoredAt, timezone),
    };
  }

  /** Downloads a backup as stored, encrypted. */
  @Get('admin/backups/file')
  @Limited('expensive')
  @UseGuards(AdminGuard)
  @Needs('bfxz')
  async file(@Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    const call = callOf(req)!;
    try {
      const backup = await this.records.find(Number(call.query.id) || 0);
      if (backup.state !== 'done') throw new BackupError('UNFINISHED');
      const { content, size } = await this.maker.storageFor(backup).read(backup.name);
      const headers = {
        'Content-Type': 'application/octet-stream',
        'Content-Disposition': `attachment; filename="${backup.name}"`,
        'Content-Length': String(size),
      };
      await sendRouteResult(res, { headers, body: content }, call);
    } catch (error) {
      // An outdated link leads to the list; a response already in progress is just aborted.
      if (!(error instanceof BackupError) || res.headersSent) throw error;
      sendLocalRedirect(res, '/admin/backups');
    }
  }
}
