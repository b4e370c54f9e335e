import type { SpaceMeter } from '../../../../src/hosting/driver/ports/files.js';

/** Limits how much additional disk space an action may use, in bytes. */
export class Budget implements SpaceMeter {
  private used = 0;

  constructor(private readonly limit: number) {}

  /** Additional bytes in use; negative if space was freed. */
  get space(): number {
    return this.used;
  }

  take(bytes: number): Promise<boolean> {
    if (this.used + bytes > this.limit) return Promise.resolve(false);
    this.used += bytes;
    return Promise.resolve(true);
  }

  giveBack(bytes: number): Promise<void> {
    this.used -= bytes;
    return Promise.resolve();
  }

  fits(bytes: number): Promise<boolean> {
    return Promise.resolve(this.used + bytes <= this.limit);
  }
}
