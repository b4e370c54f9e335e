import { Readable, type Writable } from 'node:stream';

import { Injectable } from '@nestjs/common';

/** A body that goes to a server. */
export interface SentBody {
  /** Null where that is not known before. */
  readonly bytes: number | null;
  readonly sha256: string | null;
  /** Called once at most. */
  content(): Readable;
}

/** The end of a body that is in this process. */
export interface BodyEnd {
  readonly send?: SentBody;
  /** Where what comes is written; called once at most. @param bytes null where nobody said */
  readonly receive?: (bytes: number | null) => Writable;
}

/** The bodies of calls this process makes: an agent that comes to this process meets them here. */
@Injectable()
export class BodyEnds {
  private readonly ends = new Map<string, BodyEnd>();

  /** Holds one until the undo is called. */
  hold(taskId: string, end: BodyEnd): () => void {
    this.ends.set(taskId, end);
    return () => this.ends.delete(taskId);
  }

  find(taskId: string): BodyEnd | undefined {
    return this.ends.get(taskId);
  }
}

/** Bytes in memory as a body. */
export function bodyOf(bytes: Buffer, sha256: string | null = null): SentBody {
  return { bytes: bytes.length, sha256, content: () => Readable.from(bytes.length === 0 ? [] : [bytes]) };
}
