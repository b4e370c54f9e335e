import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import { Injectable } from '@nestjs/common';

import { errorMessage, loggerFor } from '../../common/index.js';

import { TrafficRepository } from './traffic-repository.js';

const log = loggerFor('sites');
/** How often what was counted is written down, in milliseconds: what a process that is killed loses at most. */
const WRITE_EVERY_MS = 2_000;
/** Accounts written in one transaction, which other writers wait for. */
const BATCH = 200;

/** An answer under way. */
interface Sending {
  readonly accountId: number;
  readonly socket: Socket;
  /** Bytes of it so far. */
  bytes: number;
  readonly stops: boolean;
}

/** How an answer is counted. */
export interface Counting {
  /** Told once it has ended, with the bytes that went out, its head included. */
  readonly ended?: (bytes: number) => void;
  /** Whether it ends in the middle where the account has used up its traffic. */
  readonly stops: boolean;
}

/**
 * Counts the bytes sites send, by account, heads of answers included, and writes them down every two seconds; of long downloads what was
 * sent by then. Nothing but the process being killed loses any, and then no more than that. Where the month's traffic is used up then,
 * answers under way end: an account gets no more beyond its limit than goes out in two seconds.
 */
@Injectable()
export class TrafficMeter {
  /** Counted and not written. */
  private counted = new Map<number, number>();
  /** On its way to the database. */
  private leaving: ReadonlyMap<number, number> = new Map();
  private readonly sending = new Set<Sending>();
  /** Bytes of a connection that were somebody's already: several answers go one after the other. */
  private readonly seen = new WeakMap<Socket, number>();
  private month = '';
  private timer: NodeJS.Timeout | null = null;
  private writing: Promise<void> = Promise.resolve();

  constructor(private readonly repository: TrafficRepository) {}

  /** Writes from now on. */
  start(): void {
    this.month = this.repository.month;
    this.timer ??= setInterval(() => void this.write(), WRITE_EVERY_MS).unref();
  }

  /** Writes what is left, and no more. */
  async stop(): Promise<void> {
    if (this.timer) clearInterval(this.timer);
    this.timer = null;
    await this.write();
  }

  /** Bytes of an account that are counted and may not be in its row yet. */
  pending(accountId: number): number {
    return (this.counted.get(accountId) ?? 0) + (this.leaving.get(accountId) ?? 0);
  }

  /** Counts an answer for an account, from now to its end. */
  count(accountId: number, request: IncomingMessage, response: ServerResponse, { ended, stops }: Counting): void {
    const { socket } = request;
    if (!this.seen.has(socket)) this.seen.set(socket, socket.bytesWritten);
    const sending: Sending = { accountId, socket, bytes: 0, stops };
    this.sending.add(sending);
    response.once('close', () => {
      this.take(sending);
      this.sending.delete(sending);
      ended?.(sending.bytes);
    });
  }

  /** Writes down what is counted; what cannot be written stays counted. */
  write(): Promise<void> {
    this.writing = this.writing.then(() => this.writeNow());
    return this.writing;
  }

  private async writeNow(): Promise<void> {
    for (const sending of this.sending) this.take(sending);
    const month = this.month || this.repository.month;
    // What was counted until now is of the month it began in.
    this.month = this.repository.month;
    const all = [...this.counted];
    this.counted = new Map();
    for (let start = 0; start < all.length; start += BATCH) {
      const batch = new Map(all.slice(start, start + BATCH));
      this.leaving = new Map(all.slice(start));
      try {
        await this.repository.add(month, batch);
      } catch (error) {
        log.warn({ reason: errorMessage(error), accounts: all.length - start }, 'traffic of sites could not be written yet');
        this.leaving = new Map();
        for (const [id, bytes] of all.slice(start)) this.add(id, bytes);
        return;
      }
    }
    this.leaving = new Map();
    await this.stopUsedUp();
  }

  /** Ends what is under way for accounts that have used up their traffic, in whatever process they did. */
  private async stopUsedUp(): Promise<void> {
    const running = [...this.sending].filter(({ stops }) => stops);
    if (running.length === 0) return;
    try {
      const usedUp = await this.repository.usedUp([...new Set(running.map(({ accountId }) => accountId))]);
      for (const { accountId, socket } of running) if (usedUp.has(accountId)) socket.destroy();
    } catch (error) {
      log.warn({ reason: errorMessage(error) }, 'whose traffic is used up could not be read yet');
    }
  }

  private take(sending: Sending): void {
    const { accountId, socket } = sending;
    const before = this.seen.get(socket) ?? 0;
    const sent = socket.bytesWritten;
    if (sent <= before) return;
    this.seen.set(socket, sent);
    sending.bytes += sent - before;
    this.add(accountId, sent - before);
  }

  private add(accountId: number, bytes: number): void {
    this.counted.set(accountId, (this.counted.get(accountId) ?? 0) + bytes);
  }
}
