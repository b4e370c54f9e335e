import { createHash } from 'node:crypto';
import { Readable, Writable } from 'node:stream';

import type { ActionBody } from '../wire/index.js';

/**
 * A body arriving from a server: what is written to {@link intake} is read from {@link outlet} with backpressure. The outlet ends only
 * after the task's report has confirmed size and hash, so a reader that reaches the end has the complete body.
 */
export class ReceivedBody {
  readonly intake: Writable;
  readonly outlet: Readable;
  private bytes = 0;
  private readonly hash = createHash('sha256');
  private isWhole = false;
  private told: ActionBody | null | undefined = undefined;
  private goOn: (() => void) | null = null;

  /** @param maxBytes maximum size; a longer body is rejected */
  constructor(private readonly most: number) {
    this.outlet = new Readable({
      read: () => this.resume(),
      destroy: (error, done) => {
        this.intake.destroy();
        done(error);
      },
    });
    this.intake = new Writable({
      write: (chunk: Buffer, _encoding, done) => this.take(chunk, done),
      final: (done) => {
        this.isWhole = true;
        done();
        this.end();
      },
      destroy: (error, done) => {
        if (!this.isWhole) this.outlet.destroy(error ?? new Error('The server broke off.'));
        done(error);
      },
    });
    // Errors reach the reader; these handlers only prevent unhandled ones.
    this.outlet.on('error', () => undefined);
    this.intake.on('error', () => undefined);
  }

  /** Stores the size and hash from the report; null if it contains none. */
  report(body: ActionBody | null): void {
    this.told = body;
    this.end();
  }

  /** Waits until the body has been read to the end or was destroyed. */
  async read(): Promise<void> {
    if (!this.outlet.closed) await new Promise((resolve) => this.outlet.once('close', resolve));
  }

  private take(chunk: Buffer, done: (error?: Error) => void): void {
    this.bytes += chunk.length;
    if (this.bytes > this.most) return done(new Error('More was sent than was asked for.'));
    this.hash.update(chunk);
    this.goOn = done;
    if (this.outlet.push(chunk)) this.resume();
  }

  private resume(): void {
    const { goOn } = this;
    this.goOn = null;
    goOn?.();
  }

  private end(): void {
    const { told } = this;
    if (told === undefined || !this.isWhole || this.outlet.destroyed) return;
    if (told !== null && told.bytes === this.bytes && told.sha256 === this.hash.digest('hex')) this.outlet.push(null);
    else this.outlet.destroy(new Error('What was sent is not what the server says it sent.'));
  }
}
