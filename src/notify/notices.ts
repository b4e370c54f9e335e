import { Injectable } from '@nestjs/common';

import { NoticeWriter } from './inbox/index.js';
import type { NoticeDraft, PluginNoticeDraft, WrittenNotice } from './notice.js';
import { Receivers } from './receivers/index.js';

const MAX_KEY = 160;

/** Tells people what happened: the one way to write a notice. */
@Injectable()
export class Notices {
  constructor(
    private readonly receivers: Receivers,
    private readonly writer: NoticeWriter,
  ) {}

  /**
   * Writes a notice, once for each receiver and key however often and from however many processes it is told. Inside a transaction it is
   * part of that: what did not happen is not told.
   *
   * @returns how many people are told by this very call; 0 where all were told before, and where there is no such account
   * @throws Error for a key of more than 160 characters and a link that leads away from the panel
   * @example
   * ```ts
   * await notices.tell({
   *   to: { account: task.user },
   *   kind: 'monitor',
   *   level: 'warning',
   *   key: `monitor:${task.id}:down:${since}`,
   *   title: { key: 'monitor.down_title', params: { name: task.name } },
   *   text: { key: 'monitor.down_text', params: { url: task.url, error } },
   *   link: '/user/monitors',
   * });
   * ```
   */
  tell({ title, text, ...draft }: NoticeDraft): Promise<number> {
    return this.write(draft, { title, text });
  }

  /** As {@link tell}, in words that are no texts of the panel: a plugin's, which is not asked again when the notice is read. */
  tellOf({ says, ...draft }: PluginNoticeDraft): Promise<number> {
    return this.write(draft, says);
  }

  private async write(
    { to, kind, level, key, link = '', mail }: Omit<NoticeDraft, 'title' | 'text'>,
    says: WrittenNotice['says'],
  ): Promise<number> {
    if (key === '' || key.length > MAX_KEY) throw new Error(`A notice needs a key of 1 to ${MAX_KEY} characters, not "${key}".`);
    if (link !== '' && !/^\/(?![/\\])/.test(link)) throw new Error(`A notice cannot lead to "${link}".`);
    const notice = { kind, level, key, link, mail, says };
    const receivers = await this.receivers.of(to);
    if (to === 'administrators') return this.writer.writeToAll(notice, receivers);
    let told = 0;
    for (const receiver of receivers) if ((await this.writer.write(notice, receiver)) !== null) told += 1;
    return told;
  }
}
