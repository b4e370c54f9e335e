import { Injectable } from '@nestjs/common';

import { ZonedClock } from '../../config/index.js';
import { Database, EntityPages, removeRows, type EntityRows } from '../../database/index.js';
import { checkVersion, versionOf } from '../../http/index.js';
import { Announcement } from '../entities/index.js';
import { NotifyError } from '../errors.js';
import { NoticeAccounts } from '../receivers/index.js';

/** Editable fields of an announcement. */
export type AnnouncementText = Omit<Announcement, 'id' | 'createdAt'>;

/** Maximum number of announcements shown together. */
const MAX_SHOWN = 20;

/** Stores announcements and selects the current ones for a user. */
@Injectable()
export class Announcements {
  private readonly entities: EntityRows<Announcement>;
  private readonly list: EntityPages<Announcement>;
  private readonly shown;

  constructor(
    private readonly database: Database,
    private readonly accounts: NoticeAccounts,
    private readonly clock: ZonedClock,
  ) {
    this.entities = database.entityRows(Announcement);
    this.list = new EntityPages(database, Announcement);
    this.shown = database.statement(
      `SELECT ${this.entities.columns} FROM {Announcement} WHERE ({Announcement.fromOn} IS NULL OR {Announcement.fromOn} <= ?)
       AND ({Announcement.untilOn} IS NULL OR {Announcement.untilOn} >= ?) ORDER BY {Announcement.id} DESC LIMIT ${MAX_SHOWN * 5}`,
    );
  }

  /** Returns a page of announcements, newest first. */
  page(offset: number, limit: number): Promise<{ total: number; rows: Announcement[] }> {
    return this.list.page({ conditions: [], params: [], sort: null, direction: 'desc', offset, limit });
  }

  /** Returns today's announcements for an account's owner, newest first, at most 20. */
  async current(accountId: number): Promise<Announcement[]> {
    const today = this.clock.today();
    const rows = (await this.shown.all(today, today)).map((row) => this.entities.read(row));
    const server = rows.some((row) => row.server !== '') ? await this.accounts.serverOf(accountId) : null;
    return rows.filter((row) => row.server === '' || row.server === server).slice(0, MAX_SHOWN);
  }

  /** @returns its id @throws NotifyError `ANNOUNCEMENT_TIMES`, `SERVER_UNKNOWN` */
  async add(text: AnnouncementText): Promise<number> {
    const checked = await this.checked(text);
    return this.database.transaction(async () => {
      const { identifiers } = await this.database.repository(Announcement).insert({ ...checked, createdAt: this.clock.now() });
      const id = Number(identifiers[0]!.id);
      this.database.noteChange({ of: 'announcement', id }, null, checked);
      return id;
    });
  }

  /** @throws NotifyError `ANNOUNCEMENT_MISSING`, `ANNOUNCEMENT_TIMES`, `SERVER_UNKNOWN`; StaleForm after a concurrent change */
  async change(id: number, text: AnnouncementText, version: string | undefined): Promise<void> {
    const checked = await this.checked(text);
    const rows = this.database.repository(Announcement);
    await this.database.transaction(async () => {
      await this.database.lockRow('Announcement', 'id', id);
      const present = await rows.findOneBy({ id });
      if (!present) throw new NotifyError('ANNOUNCEMENT_MISSING');
      checkVersion(version, announcementForm(present));
      await rows.update({ id }, checked);
      this.database.noteChange({ of: 'announcement', id }, present, checked);
    });
  }

  /** Validates a text and normalizes its server code. @throws NotifyError `ANNOUNCEMENT_TIMES`, `SERVER_UNKNOWN` */
  private async checked(text: AnnouncementText): Promise<AnnouncementText> {
    checkDays(text);
    if (text.server === '') return text;
    const server = await this.accounts.serverNamed(text.server);
    if (server === null) throw new NotifyError('SERVER_UNKNOWN', {}, { btdh: 'notify.server_unknown' });
    return { ...text, server };
  }

  /** @returns how many were removed */
  remove(ids: readonly number[]): Promise<number> {
    return removeRows(this.database, Announcement, ids, 'announcement', ['title', 'content', 'level', 'server']);
  }
}

/** Returns the form fields of an announcement. */
export function announcementForm({ title, content, level, server, banner, fromOn, untilOn }: AnnouncementText) {
  return { title, content, level, btdh: server, hf: banner, datea: fromOn ?? '', dateb: untilOn ?? '' };
}

/** Returns the version of that form. */
export const announcementVersion = (row: Announcement): string => versionOf(announcementForm(row));

function checkDays({ fromOn, untilOn }: AnnouncementText): void {
  if (fromOn !== null && untilOn !== null && untilOn < fromOn)
    throw new NotifyError('ANNOUNCEMENT_TIMES', {}, { dateb: 'notify.announcement_times' });
}
