import { Injectable } from '@nestjs/common';

import { legacyTime, type Locale, localeOf, translate, unpackWords } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import type { SiteBackup } from '../entities/index.js';
import { shownSize } from '../files/index.js';
import { sayOfServer, type ServerReader } from '../server-access.js';

import { SiteBackupWork } from './backup-work.js';

/** A backup in the wire format: all values are strings. */
export interface SiteBackupLine {
  readonly id: string;
  readonly date: string;
  /** `manual`, `scheduled` or `safety`. */
  readonly fs: string;
  /** `making`, `done`, `failed` or `restoring`. */
  readonly zt: string;
  /** Progress in percent; empty if no task is running. */
  readonly jd: string;
  /** Formatted size, and bytes. */
  readonly dx: string;
  readonly size: string;
  /** Files and folders in it. */
  readonly wj: string;
  /** `disk` or `s3`. */
  readonly wz: string;
  /** SHA-256 of the archive. */
  readonly sha256: string;
  /** What is missing from it, and when it was last restored. */
  readonly bz: string;
  /** When it was last restored; empty if never. */
  readonly restored_at: string;
  /** Error of the last failed operation. */
  readonly cw: string;
}

/** Converts backups of a site to rows of a list. */
@Injectable()
export class SiteBackupRows {
  constructor(
    private readonly config: AppConfig,
    private readonly work: SiteBackupWork,
  ) {}

  /** When a backup was made, in the zone of the installation. */
  dateOf({ madeAt }: Pick<SiteBackup, 'madeAt'>): string {
    return legacyTime(madeAt, this.config.timezone);
  }

  async of(row: SiteBackup, reader: ServerReader): Promise<SiteBackupLine> {
    const locale = localeOf(reader.locale);
    const progress = await this.work.progress(row);
    const restoredAt = row.restoredAt ? legacyTime(row.restoredAt, this.config.timezone) : '';
    return {
      id: String(row.id),
      date: this.dateOf(row),
      fs: row.kind,
      zt: row.state,
      jd: progress === null ? '' : String(progress),
      dx: row.size === 0 ? '' : shownSize(row.size),
      size: String(row.size),
      wj: row.state === 'making' || row.state === 'failed' ? '' : String(row.files),
      wz: row.place,
      sha256: row.sha256,
      bz: notesOf(row, locale, { progress, restoredAt }).join(' '),
      restored_at: restoredAt,
      cw: row.error === null ? '' : sayOfServer(reader, unpackWords(row.error)),
    };
  }
}

function notesOf(
  { changed, changedPaths, left }: SiteBackup,
  locale: Locale,
  { progress, restoredAt }: { readonly progress: number | null; readonly restoredAt: string },
): string[] {
  const notes: string[] = [];
  if (progress !== null) notes.push(translate(locale, 'sitebackup.note_progress', { n: progress }));
  if (changed > 0) {
    const paths = changedPaths.split('\n').slice(0, 3).join(', ');
    notes.push(translate(locale, 'sitebackup.note_changed', { n: changed, paths }));
  }
  if (left > 0) notes.push(translate(locale, 'sitebackup.note_left', { n: left }));
  if (restoredAt !== '') notes.push(translate(locale, 'sitebackup.note_restored', { date: restoredAt }));
  return notes;
}
