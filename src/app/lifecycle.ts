import { Inject, Injectable, Optional, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';

import { CountedTries } from '../auth/index.js';
import { BackgroundQueue, CronScheduler, Quiet } from '../jobs/index.js';
import { FollowedIndex, StorageHealth } from '../store/index.js';

import { PanelStart } from './panel-start.js';
import { Readiness } from './readiness.js';
import { whileWorking } from './v8-flags.js';

/** How a store starts. */
@Injectable()
export class StoreStart {
  constructor(
    private readonly storage: StorageHealth,
    private readonly index: FollowedIndex,
  ) {}

  async run(): Promise<void> {
    // Not waited for: a storage that hangs holds up nobody.
    void this.storage.refresh();
    await this.index.start();
  }
}

/** What every process follows of the others, and the work they share. */
@Injectable()
export class SharedWork {
  constructor(
    private readonly quiet: Quiet,
    private readonly tries: CountedTries,
    private readonly tasks: BackgroundQueue,
    private readonly jobs: CronScheduler,
  ) {}

  /** Before anything asks whether the installation is held. */
  async follow(): Promise<void> {
    await this.quiet.start();
    await this.tries.start();
  }

  /** After all that jobs and tasks need. A job asks by itself whether the installation is held. */
  begin(): void {
    this.quiet.whenReleased(() => this.tasks.start());
    this.jobs.start();
  }
}

/**
 * The order in which things start, in one place: providers that work by themselves (listen, deliver, look after rows) do not begin of their
 * own accord. In `onModuleInit` they only put themselves into registries. Each ends in its own shutdown hook.
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

  /** A balancer sees that this process goes before its connections end. */
  beforeApplicationShutdown(): void {
    this.readiness.ready = false;
  }
}
