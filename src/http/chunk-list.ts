import { free } from './free.js';

/** Chunks below this size are copied together: a buffer of its own costs some 200 bytes, however little is in it. */
const SMALL = 2_048;
const BLOCK = 4_096;

/** Bytes as they come, in not much more memory than they are, also when they come one by one. */
export class ChunkList {
  private readonly chunks: Buffer[] = [];
  private block: Buffer | null = null;
  private filled = 0;
  size = 0;

  add(chunk: Buffer): void {
    this.size += chunk.length;
    // Most bodies are one chunk.
    if (chunk.length >= SMALL || this.size === chunk.length) {
      this.closeBlock();
      this.chunks.push(chunk);
      return;
    }
    if (this.block && this.filled + chunk.length > BLOCK) this.closeBlock();
    this.block ??= Buffer.allocUnsafeSlow(BLOCK);
    chunk.copy(this.block, this.filled);
    this.filled += chunk.length;
  }

  /** All of it; the list is empty then. */
  take(): Buffer {
    this.closeBlock();
    const { size } = this;
    const chunks = this.chunks.splice(0);
    this.size = 0;
    return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size);
  }

  /** Drops all of it, and what the chunks were cut from, since nobody wants them any more; see {@link free}. */
  drop(): void {
    this.block = null;
    this.filled = 0;
    this.size = 0;
    for (const chunk of this.chunks.splice(0)) free(chunk);
  }

  private closeBlock(): void {
    if (this.block) this.chunks.push(this.block.subarray(0, this.filled));
    this.block = null;
    this.filled = 0;
  }
}
