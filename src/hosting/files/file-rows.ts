import { Injectable } from '@nestjs/common';

import { DAY_MS, legacyTime } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import type { FileList, SiteEntry, TrashEntry } from '../driver/index.js';

import { TRASH_DAYS } from './file-maintenance.js';
import { shownSize } from './shown-size.js';

/** A row of `listfile`. Source: docs/panel-api.md "Files". */
export interface FileRow {
  /** The path, unique among the rows. */
  readonly id: string;
  readonly name: string;
  /** Parent folder, and name in it. */
  readonly folder: string;
  readonly base: string;
  /** `other`: a link, a pipe or a device, which can only be deleted. */
  readonly type: RowType;
  /** Unix seconds. */
  readonly mtime: number;
  /** Bytes. */
  readonly size: number;
  /** Id of a public link to it; 0: none. */
  readonly download: 0;
  /** Formatted for display. */
  readonly date: string;
  readonly dx: string;
}

/** A row of `filetrash`. */
export interface TrashRow {
  readonly id: string;
  readonly path: string;
  readonly type: RowType;
  readonly size: number;
  readonly dx: string;
  /** When it was deleted. */
  readonly date: string;
  /** When it is permanently removed. */
  readonly gone: string;
}

/** A page of a folder, in the wire format. */
export interface FileRowsOfFolder {
  readonly total: number;
  readonly rows: readonly FileRow[];
  /** The normalized path. */
  readonly path: string;
  /** Whether some entries were left out. */
  readonly cut: boolean;
}

type RowType = 'dir' | 'file' | 'other';
const ROW_TYPES = { folder: 'dir', file: 'file', other: 'other' } as const;

/** Converts file entries to the wire format. */
@Injectable()
export class FileRows {
  constructor(private readonly config: AppConfig) {}

  ofFolder(folder: string, { total, entries, cut }: FileList): FileRowsOfFolder {
    const path = `/${folder.split('/').filter(Boolean).join('/')}`;
    return { total, rows: entries.map((entry) => this.ofEntry(path === '/' ? '' : path, entry)), path, cut };
  }

  ofTrash({ id, path, type, size, deletedAt }: TrashEntry): TrashRow {
    const gone = this.time(deletedAt + TRASH_DAYS * DAY_MS);
    return { id, path, type: ROW_TYPES[type], size, dx: type === 'folder' ? '' : shownSize(size), date: this.time(deletedAt), gone };
  }

  private ofEntry(folder: string, { name, type, size, changedAt }: SiteEntry): FileRow {
    const at = name.lastIndexOf('/');
    return {
      id: `${folder}/${name}`,
      name,
      folder: at < 0 ? folder || '/' : `${folder}/${name.slice(0, at)}`,
      base: name.slice(at + 1),
      type: ROW_TYPES[type],
      mtime: Math.floor(changedAt / 1_000),
      size,
      download: 0,
      date: this.time(changedAt),
      dx: type === 'folder' ? '' : shownSize(size),
    };
  }

  private time(moment: number): string {
    return legacyTime(new Date(moment), this.config.timezone);
  }
}
