import type { ServerResponse } from 'node:http';

import type { Notice } from '../entities/index.js';
import type { InboxOwner } from '../inbox/index.js';

/** Most notices told by themselves at once; of more, a page says how many there are. */
const MOST_TOLD = 3;
/** Bytes a reader may leave unread before its stream ends; it asks again when it reads. */
const MOST_UNREAD_BYTES = 64 * 1024;
/** When a browser asks again after its stream ended, in milliseconds: not all of them in the same moment. */
const AGAIN_MS = { least: 3_000, most: 7_000 };

/**
 * A page that is open in a browser, and what it has been told. Source of the format:
 * https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export class NoticeStream {
  /** Ids it was told when it opened. */
  readonly told = new Set<number>();
  /** Greatest id it knows: where it goes on after an interruption. */
  newest = 0;
  /** When it is looked at again, in milliseconds. */
  nextLookAt = 0;
  nextBeatAt = 0;
  private unread = -1;

  /** @param token of the session it lives as long as */
  constructor(
    readonly owner: InboxOwner,
    readonly token: string,
    /** A notice in the language of the page. */
    private readonly titleOf: (notice: Notice) => string,
    private readonly res: ServerResponse,
  ) {}

  /** Whether its reader is gone, or does not read. */
  get isGone(): boolean {
    return this.res.destroyed || this.res.writableLength > MOST_UNREAD_BYTES;
  }

  /** Sends the head. @param closed is called when the connection has ended */
  open(closed: () => void): void {
    this.res.once('close', closed);
    this.res.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store',
      // nginx would gather what is to be seen at once: https://nginx.org/en/docs/http/ngx_http_proxy_module.html#proxy_buffering
      'X-Accel-Buffering': 'no',
    });
    this.write(`retry: ${Math.round(AGAIN_MS.least + Math.random() * (AGAIN_MS.most - AGAIN_MS.least))}\n\n`);
  }

  /** Tells how many are unread, and what is new of that; nothing where neither changed. @param notices the oldest first */
  tell(unread: number, notices: readonly Notice[] = []): void {
    if (unread === this.unread && notices.length === 0) return;
    this.unread = unread;
    this.newest = Math.max(this.newest, ...notices.map(({ id }) => id));
    const ringing = notices.filter(({ isRead }) => !isRead);
    const shown = ringing.length > MOST_TOLD ? [] : ringing;
    this.send('notices', {
      unread,
      notices: shown.map((row) => ({ level: row.level, title: this.titleOf(row), link: row.link })),
      more: ringing.length - shown.length,
    });
  }

  /** Something of these kinds changed: parts of pages that show such things are loaded again. */
  changed(kinds: readonly string[]): void {
    this.send('changed', kinds);
  }

  /** Keeps proxies from ending what seems to be idle. */
  beat(): void {
    this.write(':\n\n');
  }

  /** Ends it. @param isOver whether the page is not to ask again by itself */
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
