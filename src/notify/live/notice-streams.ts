import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';

import { SessionService } from '../../auth/index.js';
import { Clock, errorMessage, loggerFor } from '../../common/index.js';
import { UserPanelSwitch } from '../../operations/index.js';
import type { Notice } from '../entities/index.js';
import { Inbox, type InboxOwner } from '../inbox/index.js';
import type { NoticeKind } from '../notice.js';

import { NewNotices, type NewNotice } from './new-notices.js';
import type { NoticeStream } from './notice-stream.js';

const log = loggerFor('notices');

/** Polling interval while there are listeners, in milliseconds. */
const POLL_MS = 2_000;
/** Interval of keep-alive messages in milliseconds; proxies time out after a minute. */
const BEAT_MS = 20_000;
/** Interval of session checks in milliseconds. */
const SESSION_MS = 30_000;
/** Maximum number of streams per session in this process; another one closes the oldest. */
const MAX_PER_SESSION = 3;
/** Maximum number of missed notices read when a page reconnects. */
const MAX_MISSED = 100;

/** A stream, and notices that appeared before its initial state was sent. */
interface Listener {
  readonly stream: NoticeStream;
  early: NewNotice[] | null;
}

/** New notices of an owner. */
interface News {
  readonly unread: number;
  /** Newest first. */
  readonly notices: readonly Notice[];
}

/** Sends new notices to open pages. One poll serves all listeners of a process and finds notices of all processes. */
@Injectable()
export class NoticeStreams implements OnModuleInit, OnModuleDestroy {
  private readonly listeners = new Map<string, Set<Listener>>();
  /** Owners whose unread count is refreshed at the next poll. */
  private readonly uncounted = new Set<string>();
  private timer: NodeJS.Timeout | null = null;
  private isPolling = false;
  private isEnding = false;

  constructor(
    private readonly sessions: SessionService,
    private readonly userPanel: UserPanelSwitch,
    private readonly inbox: Inbox,
    private readonly notices: NewNotices,
    private readonly clock: Clock,
  ) {}

  /** Whether the process is shutting down and accepts no new listeners. */
  get areEnding(): boolean {
    return this.isEnding;
  }

  /** Opens a stream. @param after greatest id the page knows; without it only new notices are sent */
  async open(stream: NoticeStream, after: number | undefined): Promise<void> {
    const key = keyOf(stream.owner);
    const listener: Listener = { stream, early: [] };
    const mine = this.listeners.get(key) ?? new Set();
    this.listeners.set(key, mine.add(listener));
    const ofSession = [...mine].filter(({ stream: { token } }) => token === stream.token);
    if (ofSession.length > MAX_PER_SESSION) this.end(ofSession[0]!, true);
    this.timer ??= setInterval(() => void this.poll(), POLL_MS).unref();
    stream.open(() => this.forget(listener));
    try {
      await this.sendInitialState(listener, after);
    } catch (error) {
      this.end(listener, false);
      throw error;
    }
  }

  onModuleInit(): void {
    this.inbox.watch((owner) => void this.uncounted.add(keyOf(owner)));
  }

  /** Closes all streams at shutdown; browsers reconnect to another process. */
  endAll(): void {
    this.isEnding = true;
    for (const listener of this.allListeners()) this.end(listener, false);
  }

  onModuleDestroy(): void {
    this.endAll();
  }

  /** Runs one poll: delivers new notices and maintains the streams. */
  async poll(): Promise<void> {
    if (this.isPolling) return;
    this.isPolling = true;
    try {
      const appeared = await this.notices.poll();
      if (appeared.length > 0) await this.deliver(appeared);
      await this.countAgain();
      await Promise.all(this.allListeners().map((listener) => this.maintain(listener)));
    } catch (error) {
      log.warn({ reason: errorMessage(error) }, 'polling for new notices failed');
    } finally {
      this.isPolling = false;
    }
  }

  /** Sends the initial state to a page; notices that appear meanwhile are queued. */
  private async sendInitialState(listener: Listener, after: number | undefined): Promise<void> {
    const { stream } = listener;
    const now = this.clock.now().getTime();
    stream.nextBeatAt = now + BEAT_MS;
    stream.nextCheckAt = now + SESSION_MS;
    const behind = await this.notices.begin();
    const newest = await this.inbox.newest(stream.owner);
    const known = Math.min(after ?? newest, newest);
    const rows = await this.inbox.since(stream.owner, Math.min(known, behind), MAX_MISSED);
    for (const { id } of rows) stream.initialIds.add(id);
    stream.newest = newest;
    stream.update(await this.inbox.unread(stream.owner), rows.filter(({ id }) => id > known).reverse());
    const early = listener.early!.filter((notice) => keyOf(notice) === keyOf(stream.owner));
    listener.early = null;
    sendNews(stream, await this.newsOf(stream.owner, early), []);
  }

  private async deliver(appeared: readonly NewNotice[]): Promise<void> {
    const kinds = kindsOf(appeared);
    for (const [key, listeners] of [...this.listeners]) {
      const own = appeared.filter((notice) => keyOf(notice) === key);
      const { stream } = [...listeners][0]!;
      if (own.length === 0 && stream.owner.side === 'user') continue;
      const news = await this.newsOf(stream.owner, own);
      for (const listener of listeners) {
        if (listener.early) listener.early.push(...appeared);
        else sendNews(listener.stream, news, stream.owner.side === 'admin' ? kinds : kindsOf(own));
      }
    }
  }

  /** Returns null if there is nothing for the owner. @param own new notices of the owner, by id */
  private async newsOf(owner: InboxOwner, own: readonly NewNotice[]): Promise<News | null> {
    if (own.length === 0) return null;
    const ids = new Set(own.map(({ id }) => id));
    const rows = await this.inbox.since(owner, own[0]!.id - 1, MAX_MISSED);
    return { unread: await this.inbox.unread(owner), notices: rows.filter(({ id }) => ids.has(id)) };
  }

  private async countAgain(): Promise<void> {
    const keys = [...this.uncounted];
    this.uncounted.clear();
    for (const key of keys) {
      const streams = [...(this.listeners.get(key) ?? [])].map(({ stream }) => stream);
      if (streams.length === 0) continue;
      const unread = await this.inbox.unread(streams[0]!.owner);
      for (const stream of streams) stream.update(unread);
    }
  }

  private async maintain(listener: Listener): Promise<void> {
    const { stream } = listener;
    const now = this.clock.now().getTime();
    if (stream.isGone) return this.end(listener, false);
    if (now >= stream.nextBeatAt) {
      stream.nextBeatAt = now + BEAT_MS;
      stream.beat();
    }
    if (now < stream.nextCheckAt) return;
    stream.nextCheckAt = now + SESSION_MS;
    const { side } = stream.owner;
    const mayStay = (await this.sessions.isLive(side, stream.token)) && (side === 'admin' || this.userPanel.isOpen());
    if (!mayStay) return this.end(listener, true);
    if (!listener.early) stream.update(await this.inbox.unread(stream.owner));
  }

  private allListeners(): Listener[] {
    return [...this.listeners.values()].flatMap((listeners) => [...listeners]);
  }

  private end(listener: Listener, isOver: boolean): void {
    this.forget(listener);
    listener.stream.end(isOver);
  }

  private forget(listener: Listener): void {
    const key = keyOf(listener.stream.owner);
    const listeners = this.listeners.get(key);
    if (!listeners?.delete(listener) || listeners.size > 0) return;
    this.listeners.delete(key);
    if (this.listeners.size > 0) return;
    if (this.timer) clearInterval(this.timer);
    this.timer = null;
    this.notices.stop();
  }
}

const keyOf = ({ side, accountId }: InboxOwner): string => `${side}:${accountId}`;

const kindsOf = (notices: readonly NewNotice[]): NoticeKind[] => [...new Set(notices.map(({ kind }) => kind))];

/** Sends a page the notices that were not part of its initial state. */
function sendNews(stream: NoticeStream, news: News | null, kinds: readonly NoticeKind[]): void {
  if (news) stream.update(news.unread, news.notices.filter(({ id }) => !stream.initialIds.has(id)).reverse());
  if (kinds.length > 0) stream.changed(kinds);
}
