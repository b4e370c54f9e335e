import { Injectable } from '@nestjs/common';

import { Clock, type Locale } from '../../common/index.js';
import { Database } from '../../database/index.js';
import type { WrittenNotice } from '../notice.js';
import { Deliveries } from '../outbox/index.js';
import { Preferences, isWanted, type Receiver } from '../receivers/index.js';
import { NoticeTexts, type RenderedNotice } from '../templates/index.js';

const MAX_TITLE = 250;
const MAX_CONTENT = 8_000;

/** Writes notices to the recipients' inboxes and plans their delivery by mail and channels. */
@Injectable()
export class NoticeWriter {
  private readonly insert;

  constructor(
    private readonly database: Database,
    private readonly deliveries: Deliveries,
    private readonly preferences: Preferences,
    private readonly texts: NoticeTexts,
    private readonly clock: Clock,
  ) {
    this.insert = database.statement(
      `${database.insertIgnore} {Notice} ({Notice.side}, {Notice.accountId}, {Notice.username}, {Notice.kind}, {Notice.level},
        {Notice.title},
       {Notice.content}, {Notice.words}, {Notice.link}, {Notice.key}, {Notice.isRead}, {Notice.createdAt}) VALUES (?, ?, ?, ?, ?, ?, ?, ?,
       ?, ?, ?, ?)`,
    );
  }

  /** @returns its id; null if the recipient already has a notice with this key */
  write(notice: WrittenNotice, receiver: Receiver): Promise<number | null> {
    return this.database.transaction(async () => {
      const rendered = this.renderedFor(notice, receiver.locale);
      const id = await this.insertOne(notice, rendered, receiver);
      if (id !== null) await this.deliveries.plan(id, notice, rendered.title, receiver);
      return id;
    });
  }

  /** Writes to several recipients with shared channels, which get it once. @returns number of new notices */
  writeToAll(notice: WrittenNotice, receivers: readonly Receiver[]): Promise<number> {
    return this.database.transaction(async () => {
      const ids: number[] = [];
      for (const receiver of receivers) {
        const id = await this.write(notice, receiver);
        if (id !== null) ids.push(id);
      }
      if (ids.length > 0) await this.deliveries.planShared(ids[0]!, notice, this.renderedFor(notice, receivers[0]!.locale).title);
      return ids.length;
    });
  }

  /** @returns its id; null if it already exists */
  private async insertOne(notice: WrittenNotice, { title, content }: RenderedNotice, receiver: Receiver): Promise<number | null> {
    const { kind, level, key, link, says } = notice;
    const { side, id, username } = receiver;
    const words = typeof says === 'object' && 'text' in says ? JSON.stringify(says) : null;
    // Marked as read at once for recipients who have disabled the bell.
    const isRead = !isWanted(await this.preferences.of(side, id), kind, 'bell');
    const { affected, insertId } = await this.insert.run(
      ...[side, id, username, kind, level, title, content.slice(0, MAX_CONTENT), words, link, key, isRead, this.clock.now()],
    );
    return affected > 0 ? insertId : null;
  }
  private renderedFor({ says }: WrittenNotice, locale: Locale): RenderedNotice {
    const { title, content } = typeof says === 'function' ? says(locale) : 'text' in says ? this.texts.rendered(says, locale) : says;
    return { title: title.slice(0, MAX_TITLE), content };
  }
}
