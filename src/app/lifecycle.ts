import { Inject, Injectable, Optional, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';

import { CountedTries } from '../auth/index.js';
import { BackgroundQueue, CronScheduler, Quiet } from '../jobs/index.js';
import { FollowedIndex, StorageHealth } from '../store/index.js';

import { PanelStart } from './panel-start.js';
import { Readiness } from './readiness.js';
import { whileWorking } from './v8-flags.js';

/** Start-up of a store. */
@Injectable()
export class StoreStart {
  constructor(
    private readonly storage: StorageHealth,
    private readonly index: FollowedIndex,
  ) {}

  async run(): Promise<void> {
    // Not awaited: a storage that hangs must not delay the start.
    void this.storage.refresh();
    await this.index.start();
  }
}

/** Work shared between processes, and the state they follow from the database. */
@Injectable()
export class SharedWork {
  constructor(
    private readonly quiet: Quiet,
    private readonly tries: CountedTries,
    private readonly tasks: BackgroundQueue,
    private readonly jobs: CronScheduler,
  ) {}

  /** Runs before anything checks whether the installation is on hold. */
  async follow(): Promise<void> {
    await this.quiet.start();
    await this.tries.start();
  }

  /** Runs after everything that jobs and tasks need. Each job checks itself whether the installation is on hold. */
  begin(): void {
    this.quiet.whenReleased(() => this.tasks.start());
    this.jobs.start();
  }
}

/**
 * Defines the start order in one place: providers that work in the background (listeners, deliveries, maintenance of rows) do not start on
 * their own. In `onModuleInit` they only register themselves. Each stops in its own shutdown hook.
 */
@Injectable()
export class Lifecycle implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(
    private readonly readiness: Readiness,
    private readonly work: SharedWork,
    @Optional() @Inject(StoreStart) private readonly store: StoreStart | null,
    @Optional() @Inject(PanelStart) private readonly panel: PanelStart | null,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    whileWorking();
    await this.work.follow();
    await this.store?.run();
    await this.panel?.run();
    this.work.begin();
    this.readiness.ready = true;
  }

  /** Load balancers see the process as unready before its connections close. */
  beforeApplicationShutdown(): void {
    this.readiness.ready = false;
  }
}
