import { join } from 'node:path';

import { Controller } from '@nestjs/common';

import { legacyTime, localeOf, sayWords, timeInSentence, translate, unpackWords } from '../common/index.js';
import { AppConfig } from '../config/index.js';
import type { TaskView } from '../jobs/index.js';
import type { RequestContext } from '../operations/index.js';
import { Page, PageRedirect } from '../web/index.js';

import { BackupComparison, inMb } from './backup-comparison.js';
import { BackupRecords } from './backup-records.js';
import type { Backup } from './entities/index.js';
import { BackupError } from './errors.js';
import { storageOf } from './backup-storage.js';
import { type CheckedBackup, RestoreWork } from './restore-work.js';

/** Page for checking and restoring a backup; also shows the equivalent command. */
@Controller()
export class RestorePages {
  constructor(
    private readonly records: BackupRecords,
    private readonly work: RestoreWork,
    private readonly comparison: BackupComparison,
    private readonly config: AppConfig,
  ) {}

  @Page({ side: 'admin', path: 'backup-restore', title: 'backup.menu.backup_restore', needs: ['bfjc'] })
  async restore(call: RequestContext): Promise<object> {
    const backup = await this.requestedBackup(call);
    const [check, restore] = await Promise.all([this.work.lastCheck(backup.id), this.work.lastRestore()]);
    const { plan, outcome } = this.work.prepared;
    const locale = localeOf(call.locale);
    const checked = check?.state === 'done' ? (check.result as CheckedBackup | null) : null;
    return {
      backup: { id: backup.id, name: backup.name, date: timeInSentence(backup.startedAt, this.config.timezone), size: inMb(backup.size) },
      check: this.shown(check, call),
      checked: checked && { at: check!.endedAt ? this.time(check!.endedAt) : '', ...(await this.comparison.of(checked.manifest, locale)) },
      restore: this.shown(restore, call),
      ready: plan && {
        name: plan.backup,
        by: plan.by,
        at: this.time(new Date(plan.readyAt)),
        made_at: this.time(new Date(plan.manifest.madeAt)),
        safety: plan.safety,
      },
      failure:
        outcome && outcome.problem !== null
          ? { name: outcome.backup, at: this.time(new Date(outcome.at)), text: sayWords(locale, unpackWords(outcome.problem)) }
          : null,
      is_server: this.config.sqlitePath === null,
      command: this.commandFor(backup),
      is_bucket: backup.place === 's3',
    };
  }

  /** View data of a task's progress. */
  private shown(task: TaskView | null, call: RequestContext): object | null {
    if (!task) return null;
    const { state, progress, error } = task;
    return {
      state,
      percent: progress && progress.total > 0 ? Math.floor((progress.done / progress.total) * 100) : 0,
      error: state === 'failed' && error !== null ? translate(localeOf(call.locale), error) : '',
    };
  }

  private commandFor(backup: Backup): string {
    const storage = storageOf(this.config);
    const path = backup.place === 'folder' && storage.kind === 'folder' ? join(storage.shown, backup.name) : backup.name;
    return `npm run svc -- restore ${/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`} --overwrite`;
  }

  private async requestedBackup(call: RequestContext): Promise<Backup> {
    try {
      const backup = await this.records.find(Number(call.query.id) || 0);
      if (backup.state === 'done') return backup;
    } catch (error) {
      if (!(error instanceof BackupError)) throw error;
    }
    throw new PageRedirect('/admin/backups');
  }

  private time(at: Date): string {
    return legacyTime(at, this.config.timezone);
  }
}
