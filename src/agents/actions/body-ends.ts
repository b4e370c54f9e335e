import { Readable, type Writable } from 'node:stream';

import { Injectable } from '@nestjs/common';

/** A body to send to a server. */
export interface SentBody {
  /** Length in bytes, null if not known in advance. */
  readonly bytes: number | null;
  readonly sha256: string | null;
  /** Returns the content; called at most once. */
  content(): Readable;
}

/** Handlers of a body in this process. */
export interface BodyEnd {
  readonly send?: SentBody;
  /** Returns the stream for an incoming body; called at most once. @param bytes length, null if unknown */
  readonly receive?: (bytes: number | null) => Writable;
}

/** Bodies of calls made by this process. An agent connected to this process transfers them directly. */
@Injectable()
export class BodyEnds {
  private readonly ends = new Map<string, BodyEnd>();

  /** Registers a body until the returned function is called. */
  hold(taskId: string, end: BodyEnd): () => void {
    this.ends.set(taskId, end);
    return () => this.ends.delete(taskId);
  }

  find(taskId: string): BodyEnd | undefined {
    return this.ends.get(taskId);
  }
}

/** Wraps a buffer as a body. */
export function bodyOf(bytes: Buffer, sha256: string | null = null): SentBody {
  return { bytes: bytes.length, sha256, content: () => Readable.from(bytes.length === 0 ? [] : [bytes]) };
}
