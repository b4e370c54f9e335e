import type { Readable } from 'node:stream';

/** A body on its way to the panel. */
export interface OutgoingBody {
  /** Its length, where it is known before. */
  readonly bytes: number | null;
  readonly content: Readable;
}
