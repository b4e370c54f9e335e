import { Injectable } from '@nestjs/common';

import { legacyTime } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import type { SiteEntry } from '../driver/index.js';
import type { OpenSite } from '../site-tools/index.js';

import { fileError } from './file-errors.js';
import type { FileListInput } from './file-inputs.js';
import { shownSize } from './shown-size.js';

/** A row of `listfile`. Source: docs/panel-api.md "Files". */
export interface FileRow {
  readonly [field: string]: unknown;
  /** The path, which no two rows share. */
  readonly id: string;
  readonly name: string;
  /** `other`: a link, a pipe or a device, which can only be deleted. */
  readonly type: 'dir' | 'file' | 'other';
  /** Unix seconds. */
  readonly mtime: number;
  /** Bytes. */
  readonly size: number;
  /** Id of a public link to it; 0: there is none. */
  readonly download: 0;
  /** For people. */
  readonly date: string;
  readonly dx: string;
}

/** A part of a folder, for the wire. */
export interface FileRows {
  readonly total: number;
  readonly rows: FileRow[];
  /** As it was understood. */
  readonly path: string;
  /** Not everything was looked through. */
  readonly cut: boolean;
}

const ROW_TYPES = { folder: 'dir', file: 'file', other: 'other' } as const;

/** What can be done with the files of a site, whoever does it. */
@Injectable()
export class SiteFiles {
  constructor(private readonly config: AppConfig) {}

  /** @throws FileError, and as {@link OpenSite.ask} */
  async list(site: OpenSite, input: FileListInput): Promise<FileRows> {
    const { path: folder, sort, sortOrder, page, limit, ss } = input;
    const wanted = { folder, sort, descending: sortOrder === 'desc', offset: (page - 1) * limit, limit, text: ss?.trim() || undefined };
    const { total, entries, cut } = await site.ask('files', (files, account, deadline) => files.list(account, wanted, deadline), fileError);
    const path = `/${folder.split('/').filter(Boolean).join('/')}`;
    return { total, rows: entries.map((entry) => this.rowOf(path, entry)), path, cut };
  }

  private rowOf(folder: string, { name, type, size, changedAt }: SiteEntry): FileRow {
    return {
      id: `${folder === '/' ? '' : folder}/${name}`,
      name,
      type: ROW_TYPES[type],
      mtime: Math.floor(changedAt / 1_000),
      size,
      download: 0,
      date: legacyTime(new Date(changedAt), this.config.timezone),
      dx: type === 'folder' ? '' : shownSize(size),
    };
  }
}
