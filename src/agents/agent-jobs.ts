import { Injectable, type OnModuleInit } from '@nestjs/common';

import { Clock } from '../common/index.js';
import { JobRegistry } from '../jobs/index.js';

import { Nonces } from './access/index.js';
import { ScanStore } from './scans/index.js';
import { TaskList, TaskQueue } from './tasks/index.js';

/** How long scans and ended tasks are kept, in milliseconds: 90 days. An agent scans by itself, and nobody need tidy up after it. */
const KEPT_MS = 90 * 86_400_000;

/** How long scans that found nothing are kept where they have a row: those of versions before this one had. */
const KEPT_EMPTY_MS = 7 * 86_400_000;

/** What the tick does for agents: leases that ended without anybody asking for work, nonces nobody can use any more, old scans. */
@Injectable()
export class NodeJobs implements OnModuleInit {
  constructor(
    private readonly jobs: JobRegistry,
    private readonly tasks: TaskQueue,
    private readonly nonces: Nonces,
    private readonly scans: ScanStore,
    private readonly taskList: TaskList,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.jobs.add({ owner: 'core', name: 'node-leases', everyMinutes: 1, run: async () => void (await this.tasks.settleEnded()) });
    this.jobs.add({ owner: 'core', name: 'node-nonces', everyMinutes: 1, run: async () => void (await this.nonces.removeExpired()) });
    this.jobs.add({ owner: 'core', name: 'node-retention', everyMinutes: 60, run: () => this.removeOld() });
  }

  private async removeOld(): Promise<void> {
    const now = this.clock.now().getTime();
    const before = new Date(now - KEPT_MS);
    await this.scans.removeEmptyBefore(new Date(now - KEPT_EMPTY_MS));
    await this.scans.removeBefore(before);
    await this.taskList.removeEndedBefore(before);
  }
}
