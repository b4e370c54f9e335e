import { Injectable, type OnModuleInit } from '@nestjs/common';

import { JobRegistry } from '../jobs/index.js';

import { Nonces } from './access/nonces.js';
import { TaskQueue } from './tasks/task-queue.js';

/** What the tick does for agents: leases that ended without anybody asking for work, and nonces nobody can use any more. */
@Injectable()
export class NodeJobs implements OnModuleInit {
  constructor(
    private readonly jobs: JobRegistry,
    private readonly tasks: TaskQueue,
    private readonly nonces: Nonces,
  ) {}

  onModuleInit(): void {
    this.jobs.add({ owner: 'core', name: 'node-leases', everyMinutes: 1, run: async () => void (await this.tasks.settleEnded()) });
    this.jobs.add({ owner: 'core', name: 'node-nonces', everyMinutes: 1, run: async () => void (await this.nonces.removeExpired()) });
  }
}
