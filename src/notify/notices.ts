import { Injectable } from '@nestjs/common';

import { NoticeWriter } from './inbox/index.js';
import type { NoticeDraft, PluginNoticeDraft, WrittenNotice } from './notice.js';
import { Receivers } from './receivers/index.js';

const MAX_KEY = 160;

/** Sends notices; the only way to create one. */
@Injectable()
export class Notices {
  constructor(
    private readonly receivers: Receivers,
    private readonly writer: NoticeWriter,
  ) {}

  /**
   * Sends a notice, once per recipient and key even if called repeatedly or by several processes. Inside a transaction it is part of it, so
   * a rolled-back change is not reported.
   *
   * @returns number of recipients notified by this call; 0 if all were notified before or the account does not exist
   * @throws Error for a key of more than 160 characters and a link that leads away from the panel
   * @example
   * ```ts
   * await notices.send({
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
  send({ title, text, ...draft }: NoticeDraft): Promise<number> {
    return this.write(draft, { title, text });
  }

  /** Like {@link send} for a plugin's own text, which is stored and not generated again when the notice is read. */
  sendForPlugin({ says, ...draft }: PluginNoticeDraft): Promise<number> {
    return this.write(draft, says);
  }

  private async write(
    { to, kind, level, key, link = '', mail }: Omit<NoticeDraft, 'title' | 'text'>,
    says: WrittenNotice['says'],
  ): Promise<number> {
    if (key === '' || key.length > MAX_KEY) throw new Error(`A notice needs a key of 1 to ${MAX_KEY} characters, not "${key}".`);
    if (link !== '' && !/^\/(?![/\\])/.test(link)) throw new Error(`A notice cannot have the link "${link}".`);
    const notice = { kind, level, key, link, mail, says };
    const receivers = await this.receivers.of(to);
    if (to === 'administrators') return this.writer.writeToAll(notice, receivers);
    let count = 0;
    for (const receiver of receivers) if ((await this.writer.write(notice, receiver)) !== null) count += 1;
    return count;
  }
}
