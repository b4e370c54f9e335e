import { Injectable, type OnModuleInit } from '@nestjs/common';

import { JobRegistry } from '../../jobs/index.js';

import { StoreSessions } from './store-sessions.js';
import { StoreTokens } from './store-tokens.js';

/** What the tick does for the store's accounts. */
@Injectable()
export class StoreAccountJobs implements OnModuleInit {
  constructor(
    private readonly jobs: JobRegistry,
    private readonly sessions: StoreSessions,
    private readonly tokens: StoreTokens,
  ) {}

  onModuleInit(): void {
    this.jobs.add({
      owner: 'core',
      name: 'store-sign-in-cleanup',
      everyMinutes: 15,
      run: async () => {
        await this.sessions.removeExpired();
        await this.tokens.removeExpired();
      },
    });
  }
}
