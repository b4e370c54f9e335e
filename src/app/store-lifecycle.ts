import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';

import { Readiness } from './readiness.js';

/** Start and end of a store without a panel: it is ready once everything in it has started. */
@Injectable()
export class StoreLifecycle implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(private readonly readiness: Readiness) {}

  onApplicationBootstrap(): void {
    this.readiness.ready = true;
  }

  /** A balancer sees that this process goes before its connections end. */
  beforeApplicationShutdown(): void {
    this.readiness.ready = false;
  }
}
