import type { Readable } from 'node:stream';

/** A body that is sent to the panel. */
export interface OutgoingBody {
  /** Length in bytes, null if not known in advance. */
  readonly bytes: number | null;
  readonly content: Readable;
}
