import { Injectable, type OnModuleInit } from '@nestjs/common';

import { CaptchaService, FailedSignIns, KnownDevices, RateLimiter } from '../auth/index.js';
import { JobRegistry } from '../jobs/index.js';

/** What the tick does for the sign-ins of panel and store alike. */
@Injectable()
export class SignInCleanup implements OnModuleInit {
  constructor(
    private readonly jobs: JobRegistry,
    private readonly captchas: CaptchaService,
    private readonly limiter: RateLimiter,
    private readonly devices: KnownDevices,
    private readonly failures: FailedSignIns,
  ) {}

  onModuleInit(): void {
    this.jobs.add({
      owner: 'core',
      name: 'captcha-cleanup',
      everyMinutes: 15,
      run: async () => {
        await this.captchas.removeExpired();
        await this.limiter.removeEnded();
        await this.devices.removeExpired();
        await this.failures.removeOld();
      },
    });
  }
}
