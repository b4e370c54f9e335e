import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import { Injectable } from '@nestjs/common';

import { errorMessage, loggerFor } from '../../common/index.js';

import { TrafficRepository } from './traffic-repository.js';

const log = loggerFor('sites');
/** How often counted traffic is saved, in milliseconds: the most a killed process can lose. */
const WRITE_EVERY_MS = 2_000;
/** Accounts per transaction, which blocks other writers. */
const BATCH = 200;

/** A response being sent. */
interface Sending {
  readonly accountId: number;
  readonly socket: Socket;
  /** Bytes sent so far. */
  bytes: number;
  readonly stops: boolean;
}

/** How a response is counted. */
export interface Counting {
  /** Called at the end with the bytes sent, including headers. */
  readonly ended?: (bytes: number) => void;
  /** Whether it is aborted when the account has used up its traffic. */
  readonly stops: boolean;
}

/**
 * Counts the bytes sites send per account, including headers, and saves them every two seconds, also during long downloads. Only a killed
 * process loses traffic, at most that of two seconds. Running responses of an account over its monthly limit are aborted at each save, so
 * it exceeds the limit by at most two seconds of traffic.
 */
@Injectable()
export class TrafficMeter {
  /** Counted, not saved yet. */
  private counted = new Map<number, number>();
  /** Being saved. */
  private saving: ReadonlyMap<number, number> = new Map();
  private readonly sending = new Set<Sending>();
  /** Bytes of each connection already counted: it carries several responses in sequence. */
  private readonly seen = new WeakMap<Socket, number>();
  private month = '';
  private timer: NodeJS.Timeout | null = null;
  private writing: Promise<void> = Promise.resolve();

  constructor(private readonly repository: TrafficRepository) {}

  /** Starts saving periodically. */
  start(): void {
    this.month = this.repository.month;
    this.timer ??= setInterval(() => void this.write(), WRITE_EVERY_MS).unref();
  }

  /** Saves the remaining traffic and stops. */
  async stop(): Promise<void> {
    if (this.timer) clearInterval(this.timer);
    this.timer = null;
    await this.write();
  }

  /** Returns counted bytes of an account that may not be in its row yet. */
  pending(accountId: number): number {
    return (this.counted.get(accountId) ?? 0) + (this.saving.get(accountId) ?? 0);
  }

  /** Counts a response for an account, from now to its end. */
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

  /** Saves the counted traffic; it stays counted if saving fails. */
  write(): Promise<void> {
    this.writing = this.writing.then(() => this.writeNow());
    return this.writing;
  }

  private async writeNow(): Promise<void> {
    for (const sending of this.sending) this.take(sending);
    const month = this.month || this.repository.month;
    // Bytes counted until now belong to the month in which counting began.
    this.month = this.repository.month;
    const all = [...this.counted];
    this.counted = new Map();
    for (let start = 0; start < all.length; start += BATCH) {
      const batch = new Map(all.slice(start, start + BATCH));
      this.saving = new Map(all.slice(start));
      try {
        await this.repository.add(month, batch);
      } catch (error) {
        log.warn({ reason: errorMessage(error), accounts: all.length - start }, 'traffic of sites could not be written yet');
        this.saving = new Map();
        for (const [id, bytes] of all.slice(start)) this.add(id, bytes);
        return;
      }
    }
    this.saving = new Map();
    await this.stopUsedUp();
  }

  /** Aborts responses of accounts that have used up their traffic, counted over all processes. */
  private async stopUsedUp(): Promise<void> {
    const running = [...this.sending].filter(({ stops }) => stops);
    if (running.length === 0) return;
    try {
      const usedUp = await this.repository.usedUp([...new Set(running.map(({ accountId }) => accountId))]);
      for (const { accountId, socket } of running) if (usedUp.has(accountId)) socket.destroy();
    } catch (error) {
      log.warn({ reason: errorMessage(error) }, 'accounts over their traffic limit could not be read yet');
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
