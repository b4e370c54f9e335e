import { Injectable, type OnModuleDestroy } from '@nestjs/common';

import { LoginError } from './errors.js';

/** Answers that are held back at a time; each is a request that stays open. */
const MAX_WAITING = 500;

/** Holds answers back. Who is waiting when the process ends goes on at once. */
@Injectable()
export class SignInDelay implements OnModuleDestroy {
  private readonly waiting = new Set<() => void>();

  /** Comes back after so many seconds. @throws LoginError TOO_MANY_TRIES where too many wait already */
  async wait(seconds: number): Promise<void> {
    if (seconds <= 0) return;
    if (this.waiting.size >= MAX_WAITING) throw new LoginError('TOO_MANY_TRIES', { seconds });
    await new Promise<void>((resolve) => {
      const goOn = (): void => {
        clearTimeout(timer);
        this.waiting.delete(goOn);
        resolve();
      };
      const timer = setTimeout(goOn, seconds * 1_000);
      this.waiting.add(goOn);
    });
  }

  onModuleDestroy(): void {
    for (const goOn of this.waiting) goOn();
  }
}
