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

/** How often the table is looked at while somebody listens, in milliseconds. */
const LOOK_MS = 2_000;
/** How often a stream says that it is there, in milliseconds: proxies wait for a minute. */
const BEAT_MS = 20_000;
/** How often a session is looked at again, in milliseconds. */
const SESSION_MS = 30_000;
/** Streams of one session in this process; one more ends the oldest. */
const MOST_OF_SESSION = 3;
/** Missed ones that are looked at when a page comes back. */
const MOST_MISSED = 100;

/** A stream, and what appeared before it knew what there was. */
interface Listener {
  readonly stream: NoticeStream;
  early: NewNotice[] | null;
}

/** What is new to somebody. */
interface News {
  readonly unread: number;
  /** The newest first. */
  readonly notices: readonly Notice[];
}

/**
 * Pages that are told of new notices while they are open. One look at the table serves all of a process, and
 * finds what other processes wrote.
 */
@Injectable()
export class NoticeStreams implements OnModuleInit, OnModuleDestroy {
  private readonly listeners = new Map<string, Set<Listener>>();
  /** Owners whose unread ones are counted again at the next look. */
  private readonly uncounted = new Set<string>();
  private timer: NodeJS.Timeout | null = null;
  private isLooking = false;
  private isEnding = false;

  constructor(
    private readonly sessions: SessionService,
    private readonly userPanel: UserPanelSwitch,
    private readonly inbox: Inbox,
    private readonly notices: NewNotices,
    private readonly clock: Clock,
  ) {}

  /** Whether the process ends: nobody begins to listen. */
  get areEnding(): boolean {
    return this.isEnding;
  }

  /** Lets a page listen. @param after the greatest id it knows; without one it is told of nothing that is there already */
  async open(stream: NoticeStream, after: number | undefined): Promise<void> {
    const key = keyOf(stream.owner);
    const listener: Listener = { stream, early: [] };
    const mine = this.listeners.get(key) ?? new Set();
    this.listeners.set(key, mine.add(listener));
    const ofSession = [...mine].filter(({ stream: { token } }) => token === stream.token);
    if (ofSession.length > MOST_OF_SESSION) this.end(ofSession[0]!, true);
    this.timer ??= setInterval(() => void this.look(), LOOK_MS).unref();
    stream.open(() => this.forget(listener));
    try {
      await this.welcome(listener, after);
    } catch (error) {
      this.end(listener, false);
      throw error;
    }
  }

  onModuleInit(): void {
    this.inbox.watch((owner) => void this.uncounted.add(keyOf(owner)));
  }

  /** Ends every stream; browsers ask again, another process. */
  endAll(): void {
    this.isEnding = true;
    for (const listener of this.everybody()) this.end(listener, false);
  }

  onModuleDestroy(): void {
    this.endAll();
  }

  /** One look: tells what appeared, and sees to streams it is time for. */
  async look(): Promise<void> {
    if (this.isLooking) return;
    this.isLooking = true;
    try {
      const appeared = await this.notices.look();
      if (appeared.length > 0) await this.deliver(appeared);
      await this.countAgain();
      await Promise.all(this.everybody().map((listener) => this.lookAfter(listener)));
    } catch (error) {
      log.warn({ reason: errorMessage(error) }, 'new notices could not be looked for');
    } finally {
      this.isLooking = false;
    }
  }

  /** Tells a page what there is. What appears meanwhile waits. */
  private async welcome(listener: Listener, after: number | undefined): Promise<void> {
    const { stream } = listener;
    const now = this.clock.now().getTime();
    stream.nextBeatAt = now + BEAT_MS;
    stream.nextLookAt = now + SESSION_MS;
    const behind = await this.notices.begin();
    const newest = await this.inbox.newest(stream.owner);
    const known = Math.min(after ?? newest, newest);
    const rows = await this.inbox.since(stream.owner, Math.min(known, behind), MOST_MISSED);
    for (const { id } of rows) stream.told.add(id);
    stream.newest = newest;
    stream.tell(await this.inbox.unread(stream.owner), rows.filter(({ id }) => id > known).reverse());
    const early = listener.early!.filter((notice) => keyOf(notice) === keyOf(stream.owner));
    listener.early = null;
    tell(stream, await this.newsOf(stream.owner, early), []);
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
        else tell(listener.stream, news, stream.owner.side === 'admin' ? kinds : kindsOf(own));
      }
    }
  }

  /** Null where nothing of it is his own. @param own of one owner, by id */
  private async newsOf(owner: InboxOwner, own: readonly NewNotice[]): Promise<News | null> {
    if (own.length === 0) return null;
    const ids = new Set(own.map(({ id }) => id));
    const rows = await this.inbox.since(owner, own[0]!.id - 1, MOST_MISSED);
    return { unread: await this.inbox.unread(owner), notices: rows.filter(({ id }) => ids.has(id)) };
  }

  private async countAgain(): Promise<void> {
    const keys = [...this.uncounted];
    this.uncounted.clear();
    for (const key of keys) {
      const streams = [...(this.listeners.get(key) ?? [])].map(({ stream }) => stream);
      if (streams.length === 0) continue;
      const unread = await this.inbox.unread(streams[0]!.owner);
      for (const stream of streams) stream.tell(unread);
    }
  }

  private async lookAfter(listener: Listener): Promise<void> {
    const { stream } = listener;
    const now = this.clock.now().getTime();
    if (stream.isGone) return this.end(listener, false);
    if (now >= stream.nextBeatAt) {
      stream.nextBeatAt = now + BEAT_MS;
      stream.beat();
    }
    if (now < stream.nextLookAt) return;
    stream.nextLookAt = now + SESSION_MS;
    const { side } = stream.owner;
    const mayStay = (await this.sessions.isLive(side, stream.token)) && (side === 'admin' || this.userPanel.isOpen());
    if (!mayStay) return this.end(listener, true);
    if (!listener.early) stream.tell(await this.inbox.unread(stream.owner));
  }

  private everybody(): Listener[] {
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

/** Tells a page what it has not been told when it began to listen. */
function tell(stream: NoticeStream, news: News | null, kinds: readonly NoticeKind[]): void {
  if (news) stream.tell(news.unread, news.notices.filter(({ id }) => !stream.told.has(id)).reverse());
  if (kinds.length > 0) stream.changed(kinds);
}
