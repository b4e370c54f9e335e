import type { IncomingMessage } from 'node:http';

import { BodyError } from './body-error.js';
import type { Arriving, BodyPace } from './body-pace.js';
import { ChunkList } from './chunk-list.js';
import { drain } from './drain.js';
import { free } from './free.js';
import type { MemoryBudget, Reservation, Sender } from './memory-budget.js';

/** Bytes of each body that are not charged to any share, so that small requests are always accepted. */
export const SMALL_BODY_BYTES = 16 * 1024;

/** Limits and sender of a body. */
export interface BodyPlan {
  /** Maximum size, in bytes. */
  readonly limit: number;
  /** Sender; without one a body gets no more than {@link SMALL_BODY_BYTES}. */
  readonly sender?: Sender;
}

/** One body being received: counts the bytes received, the bytes held in memory, and the speed. */
export class BodyIntake implements Arriving {
  received = 0;
  readonly startedAt = performance.now();
  lastDataAt = this.startedAt;
  private held = 0;
  /** Bytes of `held` that are reserved in the budget. */
  private paid = SMALL_BODY_BYTES;
  private reservation: Reservation | null = null;
  /** The sender has reached its own limit. */
  private overOwnLimit = false;

  constructor(
    readonly req: IncomingMessage,
    private readonly plan: BodyPlan,
    private readonly pace: BodyPace,
    private readonly budget: MemoryBudget,
  ) {}

  /**
   * Starts to monitor the sender.
   *
   * @throws BodyError BODY_TOO_LARGE by the declared length, BODY_ABORTED if there is nothing left to read
   */
  begin(): void {
    if (declaredLength(this.req) > this.plan.limit) throw new BodyError('BODY_TOO_LARGE');
    if (this.req.destroyed || this.req.readableEnded) throw new BodyError('BODY_ABORTED');
    this.pace.watch(this);
  }

  /** Counts received bytes. @throws BodyError BODY_TOO_LARGE */
  arrived(bytes: number): void {
    this.received += bytes;
    this.lastDataAt = performance.now();
    if (this.received > this.plan.limit) throw new BodyError('BODY_TOO_LARGE');
  }

  /** Counts bytes that stay in memory until {@link done}. @throws BodyError BODY_BUSY */
  hold(bytes: number): void {
    this.held += bytes;
    const due = this.held - this.paid;
    if (due <= 0) return;
    // An unidentified sender gets no memory beyond the small body.
    this.reservation ??= this.plan.sender ? this.budget.open(this.plan.sender) : null;
    const lacking = this.reservation ? this.reservation.take(due) : 'own';
    if (lacking) {
      this.overOwnLimit = lacking === 'own';
      throw new BodyError('BODY_BUSY');
    }
    this.paid += due;
  }

  /** Stops monitoring: the body is complete or no longer awaited. */
  end(): void {
    this.pace.forget(this);
  }

  /** Releases the memory. */
  done(): void {
    this.end();
    this.reservation?.release();
    this.reservation = null;
  }

  cut(): void {
    this.req.destroy();
  }

  /**
   * Reads the whole body into memory.
   *
   * @throws BodyError BODY_TOO_LARGE, BODY_BUSY, BODY_ABORTED; the rest of the body was discarded then, as {@link drain} does
   */
  read(): Promise<Buffer> {
    // A single promise, since every request with a body passes here.
    return new Promise((resolve, reject) => {
      const refuse = (error: unknown): void => void this.refuse().then(() => reject(error as Error), reject);
      try {
        this.begin();
        this.collect(resolve, refuse);
      } catch (error) {
        refuse(error);
      }
    });
  }

  /** Rejects the body: releases its memory and lets the client finish sending, discarding the data; see {@link drain}. */
  async refuse(): Promise<void> {
    this.done();
    await (this.overOwnLimit ? drain(this.req, 1) : drain(this.req));
  }

  private collect(resolve: (body: Buffer) => void, refuse: (error: unknown) => void): void {
    const { req } = this;
    const chunks = new ChunkList();
    const onData = (chunk: Buffer): void => {
      try {
        this.arrived(chunk.length);
        this.hold(chunk.length);
        chunks.add(chunk);
      } catch (error) {
        req.pause();
        free(chunk);
        fail(error);
      }
    };
    const onEnd = (): void => {
      finish();
      resolve(chunks.take());
    };
    const onGone = (): void => fail(new BodyError('BODY_ABORTED', { cause: req.errored }));
    const fail = (error: unknown): void => {
      finish();
      chunks.drop();
      refuse(error);
    };
    const finish = (): void => {
      this.end();
      req.off('data', onData).off('end', onEnd).off('close', onGone);
    };
    req.on('data', onData).on('end', onEnd).on('close', onGone).on('error', ignore);
  }
}

/**
 * A failure is reported by the `close` event that follows; an error after the end (a reset while the answer is written) must not be
 * uncaught.
 */
function ignore(): void {}

/** Length declared by the client; 0 if it declares none. */
export function declaredLength(req: IncomingMessage): number {
  return Number(req.headers['content-length'] ?? 0);
}
