import type { IncomingMessage } from 'node:http';

import { BodyError } from './body-error.js';
import type { Arriving, BodyPace } from './body-pace.js';
import { ChunkList } from './chunk-list.js';
import { drain } from './drain.js';
import { free } from './free.js';
import type { Holding, MemoryBudget, Sender } from './memory-budget.js';

/** Bytes of every body that count against no share, so that small requests always get in. */
export const SMALL_BODY_BYTES = 16 * 1024;

/** How a body is taken in. */
export interface BodyPlan {
  /** Most bytes. */
  readonly limit: number;
  /** Whose it is; without one it is given no room beyond {@link SMALL_BODY_BYTES}. */
  readonly sender?: Sender;
}

/** One body on its way in: counts what has come, what of it is kept in memory, and how fast it comes. */
export class BodyIntake implements Arriving {
  received = 0;
  readonly begunAt = performance.now();
  heardAt = this.begunAt;
  private held = 0;
  /** Bytes of `held` that are paid for. */
  private paid = SMALL_BODY_BYTES;
  private holding: Holding | null = null;
  /** Its sender has as much under way as one may. */
  private greedy = false;

  constructor(
    readonly req: IncomingMessage,
    private readonly plan: BodyPlan,
    private readonly pace: BodyPace,
    private readonly budget: MemoryBudget,
  ) {}

  /**
   * Begins to watch the sender.
   *
   * @throws BodyError BODY_TOO_LARGE by the declared length, BODY_ABORTED where there is nothing to read any more
   */
  begin(): void {
    if (declaredLength(this.req) > this.plan.limit) throw new BodyError('BODY_TOO_LARGE');
    if (this.req.destroyed || this.req.readableEnded) throw new BodyError('BODY_ABORTED');
    this.pace.watch(this);
  }

  /** Counts bytes that have come. @throws BodyError BODY_TOO_LARGE */
  arrived(bytes: number): void {
    this.received += bytes;
    this.heardAt = performance.now();
    if (this.received > this.plan.limit) throw new BodyError('BODY_TOO_LARGE');
  }

  /** Counts bytes that stay in memory until {@link done}. @throws BodyError BODY_BUSY */
  hold(bytes: number): void {
    this.held += bytes;
    const due = this.held - this.paid;
    if (due <= 0) return;
    // Nobody gets room without a name.
    this.holding ??= this.plan.sender ? this.budget.open(this.plan.sender) : null;
    const lacking = this.holding ? this.holding.take(due) : 'own';
    if (lacking) {
      this.greedy = lacking === 'own';
      throw new BodyError('BODY_BUSY');
    }
    this.paid += due;
  }

  /** All has come, or is no longer waited for. */
  end(): void {
    this.pace.forget(this);
  }

  /** What was held is of no use to anybody any more. */
  done(): void {
    this.end();
    this.holding?.giveBack();
    this.holding = null;
  }

  cut(): void {
    this.req.destroy();
  }

  /**
   * The whole body, in memory.
   *
   * @throws BodyError BODY_TOO_LARGE, BODY_BUSY, BODY_ABORTED; what its sender still has to send was taken into
   * nothing then, as {@link drain} does
   */
  read(): Promise<Buffer> {
    // One promise, since every request with a body comes by here.
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

  /** Gives up: what was held is free, and its sender may finish sending into nothing; see {@link drain}. */
  async refuse(): Promise<void> {
    this.done();
    await (this.greedy ? drain(this.req, 1) : drain(this.req));
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
      settle();
      resolve(chunks.take());
    };
    const onGone = (): void => fail(new BodyError('BODY_ABORTED', { cause: req.errored }));
    const fail = (error: unknown): void => {
      settle();
      chunks.drop();
      refuse(error);
    };
    const settle = (): void => {
      this.end();
      req.off('data', onData).off('end', onEnd).off('close', onGone);
    };
    req.on('data', onData).on('end', onEnd).on('close', onGone).on('error', ignore);
  }
}

/**
 * What goes wrong is told by the close that follows; an error after all is done (a reset while the answer is written) must not be uncaught.
 */
function ignore(): void {}

/** As the client says; 0 where it says nothing. */
export function declaredLength(req: IncomingMessage): number {
  return Number(req.headers['content-length'] ?? 0);
}
