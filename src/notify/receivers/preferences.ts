import { Injectable } from '@nestjs/common';

import { isLocale, type Locale } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { NoticePreference } from '../entities/index.js';
import type { NoticeKind, NoticeSide } from '../notice.js';

/** Ways of notification: the panel's bell, mail, and configured channels. */
export const NOTICE_WAYS = ['bell', 'mail', 'channel'] as const;

/** One of {@link NOTICE_WAYS}. */
export type NoticeWay = (typeof NOTICE_WAYS)[number];

/** Preferences of a person; everything is enabled by default. */
export interface NotificationPreferences {
  readonly email: string | null;
  readonly locale: Locale | null;
  readonly digest: boolean;
  readonly off: readonly string[];
}

const NONE: NotificationPreferences = { email: null, locale: null, digest: true, off: [] };

/** Whether a kind is enabled for a way. */
export const isWanted = ({ off }: Pick<NotificationPreferences, 'off'>, kind: NoticeKind, way: NoticeWay): boolean =>
  !off.includes(`${kind}.${way}`);

/** Stores notification preferences. */
@Injectable()
export class Preferences {
  private readonly insert;
  private readonly setLocale;

  constructor(private readonly database: Database) {
    this.insert = database.statement(
      `${database.insertIgnore} {NoticePreference} ({NoticePreference.side}, {NoticePreference.accountId}, {NoticePreference.off})
        VALUES (?, ?, '[]')`,
    );
    this.setLocale = database.statement(
      'UPDATE {NoticePreference} SET {NoticePreference.locale} = ? WHERE {NoticePreference.side} = ? AND {NoticePreference.accountId} = ?',
    );
  }

  /** Returns the preferences of a person. */
  async of(side: NoticeSide, accountId: number): Promise<NotificationPreferences> {
    const row = await this.database.repository(NoticePreference).findOneBy({ side, accountId });
    return row ? { email: row.email, locale: isLocale(row.locale) ? row.locale : null, digest: row.digest, off: row.off } : NONE;
  }

  /** Stores the language a person has selected in the panel. */
  async noteLocale(side: NoticeSide, accountId: number, locale: Locale): Promise<void> {
    if ((await this.of(side, accountId)).locale === locale) return;
    await this.database.transaction(async () => {
      await this.insert.run(side, accountId);
      await this.setLocale.run(locale, side, accountId);
    });
  }

  /** Changes preferences under a lock. @param change maps the present row to the changed fields */
  async change(side: NoticeSide, accountId: number, change: (row: NoticePreference) => Partial<NoticePreference>): Promise<void> {
    const rows = this.database.repository(NoticePreference);
    await this.database.transaction(async () => {
      await this.insert.run(side, accountId);
      const { id } = await rows.findOneByOrFail({ side, accountId });
      await this.database.lockRow('NoticePreference', 'id', id);
      const present = await rows.findOneByOrFail({ id });
      const values = change(present);
      if (Object.keys(values).length === 0) return;
      await rows.update({ id }, values);
      this.database.noteChange({ of: `preferences_${side}`, id: accountId }, present, values);
    });
  }
}
