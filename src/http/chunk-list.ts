import { free } from './free.js';

/** Chunks below this size, in bytes, are copied together: a separate buffer has an overhead of some 200 bytes. */
const SMALL = 2_048;
const BLOCK = 4_096;

/** Collects received bytes with little memory overhead, even if they arrive one at a time. */
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

  /** Returns all bytes and empties the list. */
  take(): Buffer {
    this.closeBlock();
    const { size } = this;
    const chunks = this.chunks.splice(0);
    this.size = 0;
    return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size);
  }

  /** Discards all bytes and frees the buffers they were cut from; see {@link free}. */
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
