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
  private reported: ActionBody | null | undefined = undefined;
  private resumeWrite: (() => void) | null = null;

  /** @param maxBytes maximum size; a longer body is rejected */
  constructor(private readonly maxBytes: number) {
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
        if (!this.isWhole) this.outlet.destroy(error ?? new Error('The transfer was interrupted by the server.'));
        done(error);
      },
    });
    // Errors reach the reader; these handlers only prevent unhandled ones.
    this.outlet.on('error', () => undefined);
    this.intake.on('error', () => undefined);
  }

  /** Stores the size and hash from the report; null if it contains none. */
  report(body: ActionBody | null): void {
    this.reported = body;
    this.end();
  }

  /** Waits until the body has been read to the end or was destroyed. */
  async read(): Promise<void> {
    if (!this.outlet.closed) await new Promise((resolve) => this.outlet.once('close', resolve));
  }

  private take(chunk: Buffer, done: (error?: Error) => void): void {
    this.bytes += chunk.length;
    if (this.bytes > this.maxBytes) return done(new Error('The server sent more data than requested.'));
    this.hash.update(chunk);
    this.resumeWrite = done;
    if (this.outlet.push(chunk)) this.resume();
  }

  private resume(): void {
    const { resumeWrite } = this;
    this.resumeWrite = null;
    resumeWrite?.();
  }

  private end(): void {
    const { reported } = this;
    if (reported === undefined || !this.isWhole || this.outlet.destroyed) return;
    if (reported !== null && reported.bytes === this.bytes && reported.sha256 === this.hash.digest('hex')) this.outlet.push(null);
    else this.outlet.destroy(new Error('The received data does not match the checksum from the server.'));
  }
}
