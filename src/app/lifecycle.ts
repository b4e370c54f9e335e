import { Inject, Injectable, Optional, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';

import { BackgroundQueue, Quiet } from '../jobs/index.js';
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

/**
 * The order in which things start, in one place: providers that work by themselves (listen, deliver, look after rows) do not begin of their
 * own accord. In `onModuleInit` they only put themselves into registries. Each ends in its own shutdown hook.
 */
@Injectable()
export class Lifecycle implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(
    private readonly readiness: Readiness,
    private readonly tasks: BackgroundQueue,
    private readonly quiet: Quiet,
    @Optional() @Inject(StoreStart) private readonly store: StoreStart | null,
    @Optional() @Inject(PanelStart) private readonly panel: PanelStart | null,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    whileWorking();
    await this.store?.run();
    await this.panel?.run();
    this.quiet.whenReleased(() => this.tasks.start());
    this.readiness.ready = true;
  }

  /** A balancer sees that this process goes before its connections end. */
  beforeApplicationShutdown(): void {
    this.readiness.ready = false;
  }
}
