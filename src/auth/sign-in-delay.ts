import { Injectable, type OnModuleDestroy } from '@nestjs/common';

import { LoginError } from './errors.js';

/** Maximum delayed responses at a time; each keeps a request open. */
const MAX_WAITING = 500;

/** Delays responses. Pending delays end immediately on shutdown. */
@Injectable()
export class SignInDelay implements OnModuleDestroy {
  private readonly waiting = new Set<() => void>();

  /** Waits for the given number of seconds. @throws LoginError TOO_MANY_TRIES if too many responses are delayed already */
  async wait(seconds: number): Promise<void> {
    if (seconds <= 0) return;
    if (this.waiting.size >= MAX_WAITING) throw new LoginError('TOO_MANY_TRIES', { seconds });
    await new Promise<void>((resolve) => {
      const finish = (): void => {
        clearTimeout(timer);
        this.waiting.delete(finish);
        resolve();
      };
      const timer = setTimeout(finish, seconds * 1_000);
      this.waiting.add(finish);
    });
  }

  onModuleDestroy(): void {
    for (const finish of this.waiting) finish();
  }
}
