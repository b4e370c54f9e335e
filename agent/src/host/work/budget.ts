import type { SpaceMeter } from '../../../../src/hosting/driver/ports/files.js';

/** Space an action may use: so many bytes more than are in use now. */
export class Budget implements SpaceMeter {
  private used = 0;

  constructor(private readonly most: number) {}

  /** Bytes in use now that were not before; below 0 where there are fewer. */
  get space(): number {
    return this.used;
  }

  take(bytes: number): Promise<boolean> {
    if (this.used + bytes > this.most) return Promise.resolve(false);
    this.used += bytes;
    return Promise.resolve(true);
  }

  giveBack(bytes: number): Promise<void> {
    this.used -= bytes;
    return Promise.resolve();
  }

  fits(bytes: number): Promise<boolean> {
    return Promise.resolve(this.used + bytes <= this.most);
  }
}
