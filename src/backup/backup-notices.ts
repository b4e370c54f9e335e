import { Injectable } from '@nestjs/common';
import { In, LessThan } from 'typeorm';

import { loggerFor, timeInSentence, unpackWords, type TextRef } from '../common/index.js';
import { AppConfig } from '../config/index.js';
import { Database } from '../database/index.js';
import { Job } from '../jobs/index.js';
import { Notices, registerNotice } from '../notify/index.js';

import { Backup } from './entities/index.js';

const log = loggerFor('backup');
const ENDED = In(['done', 'failed']);
const LINK = '/admin/backups';

registerNotice({
  kind: 'backup',
  title: { key: 'backup.notice_failed' },
  texts: [{ key: 'backup.notice_failed_text', params: { name: 'svc-20260101-033000.tar.gz.age', error: { key: 'backup.disk_full' } } }],
});
registerNotice({
  kind: 'backup',
  title: { key: 'backup.notice_again' },
  texts: [{ key: 'backup.notice_again_text', params: { name: 'svc-20260102-033000.tar.gz.age' } }],
});

registerNotice({
  kind: 'backup',
  title: { key: 'backup.notice_waits' },
  texts: [{ key: 'backup.notice_waits_text', params: { name: 'svc-20260101-013000.tar.gz.age', time: '2026-01-01 01:30 UTC' } }],
});

/** Notifies administrators once when backups start to fail, and again when one succeeds. */
@Injectable()
export class BackupNotices {
  constructor(
    private readonly database: Database,
    private readonly notices: Notices,
    private readonly config: AppConfig,
  ) {}

  /** Notifies once that the scheduled backup waits for a running one. @returns number of recipients */
  async notifyWaiting({ id, name, startedAt }: Backup): Promise<number> {
    const recipients = await this.notices.send({
      to: 'administrators',
      kind: 'backup',
      level: 'warning',
      key: `backup:waits:${id}`,
      title: { key: 'backup.notice_waits' },
      text: { key: 'backup.notice_waits_text', params: { name, time: timeInSentence(startedAt, this.config.timezone) } },
      link: LINK,
    });
    if (recipients > 0) log.warn({ backup: name }, 'the scheduled backup waits: another one is running');
    return recipients;
  }

  /**
   * Checks the outcome of the last backups, whether made by the panel, on the command line, or by a process that crashed.
   *
   * @returns number of recipients
   */
  @Job({ name: 'backup-notices', everyMinutes: 5, catchUp: true })
  async notifyOutcome(): Promise<number> {
    const rows = this.database.repository(Backup);
    const [last, before] = await rows.find({ where: { state: ENDED }, order: { id: 'DESC' }, take: 2 });
    if (!last) return 0;
    if (last.state === 'done') {
      if (before?.state !== 'failed') return 0;
      return this.notices.send({
        to: 'administrators',
        kind: 'backup',
        level: 'success',
        key: `backup:again:${last.id}`,
        title: { key: 'backup.notice_again' },
        text: { key: 'backup.notice_again_text', params: { name: last.name } },
        link: LINK,
      });
    }
    const lastDone = await rows.findOne({ where: { state: 'done', id: LessThan(last.id) }, order: { id: 'DESC' } });
    const error: string | TextRef = unpackWords(last.error ?? '');
    return this.notices.send({
      to: 'administrators',
      kind: 'backup',
      level: 'danger',
      // Failures after the same successful backup are reported once.
      key: `backup:failed-after:${lastDone?.id ?? 0}`,
      title: { key: 'backup.notice_failed' },
      text: { key: 'backup.notice_failed_text', params: { name: last.name, error } },
      link: LINK,
    });
  }
}
