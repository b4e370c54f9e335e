import type { ServerResponse } from 'node:http';

import type { Notice } from '../entities/index.js';
import type { InboxOwner } from '../inbox/index.js';

/** Maximum number of notices sent individually at a time; beyond that only their number is sent. */
const MAX_INDIVIDUAL = 3;
/** Maximum unread bytes before a stream is closed; the client reconnects when it reads again. */
const MAX_UNREAD_BYTES = 64 * 1024;
/** Reconnect delay of browsers in milliseconds, randomized so that they do not reconnect together. */
const RETRY_MS = { least: 3_000, most: 7_000 };

/** Event stream to an open page. Source of the format: https://html.spec.whatwg.org/multipage/server-sent-events.html */
export class NoticeStream {
  /** Ids sent when it was opened. */
  readonly initialIds = new Set<number>();
  /** Greatest known id, from which it continues after an interruption. */
  newest = 0;
  /** Time of the next session check, in milliseconds. */
  nextCheckAt = 0;
  nextBeatAt = 0;
  private unread = -1;

  /** @param token of the session that limits its lifetime */
  constructor(
    readonly owner: InboxOwner,
    readonly token: string,
    /** Returns the title of a notice in the page's language. */
    private readonly titleOf: (notice: Notice) => string,
    private readonly res: ServerResponse,
  ) {}

  /** Whether its reader has disconnected or does not read. */
  get isGone(): boolean {
    return this.res.destroyed || this.res.writableLength > MAX_UNREAD_BYTES;
  }

  /** Sends the headers. @param closed called when the connection has ended */
  open(closed: () => void): void {
    this.res.once('close', closed);
    this.res.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store',
      // Disables nginx's response buffering: https://nginx.org/en/docs/http/ngx_http_proxy_module.html#proxy_buffering
      'X-Accel-Buffering': 'no',
    });
    this.write(`retry: ${Math.round(RETRY_MS.least + Math.random() * (RETRY_MS.most - RETRY_MS.least))}\n\n`);
  }

  /** Sends the unread count and new notices; does nothing if neither changed. @param notices oldest first */
  update(unread: number, notices: readonly Notice[] = []): void {
    if (unread === this.unread && notices.length === 0) return;
    this.unread = unread;
    this.newest = Math.max(this.newest, ...notices.map(({ id }) => id));
    const ringing = notices.filter(({ isRead }) => !isRead);
    const shown = ringing.length > MAX_INDIVIDUAL ? [] : ringing;
    this.send('notices', {
      unread,
      notices: shown.map((row) => ({ level: row.level, title: this.titleOf(row), link: row.link })),
      more: ringing.length - shown.length,
    });
  }

  /** Announces changes of these kinds, so that the page reloads the parts that show them. */
  changed(kinds: readonly string[]): void {
    this.send('changed', kinds);
  }

  /** Keeps proxies from closing an idle connection. */
  beat(): void {
    this.write(':\n\n');
  }

  /** Closes the stream. @param isOver whether the page must not reconnect */
  end(isOver: boolean): void {
    if (isOver) this.send('over', null);
    this.res.end();
  }

  private send(event: string, data: unknown): void {
    this.write(`id: ${this.newest}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  private write(text: string): void {
    if (!this.res.writableEnded && !this.res.destroyed) this.res.write(text);
  }
}
