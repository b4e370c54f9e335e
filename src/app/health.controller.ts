import type { ServerResponse } from 'node:http';

import { Controller, Get, Inject, Optional, Res } from '@nestjs/common';

import { AppConfig } from '../config/index.js';
import { Database } from '../database/index.js';
import { Limited, sendJson } from '../http/index.js';
import { BackgroundQueue } from '../jobs/index.js';
import { PluginReconciler } from '../plugin-registry/index.js';
import { Readiness } from './readiness.js';
import { StorageHealth } from '../store/index.js';
import { WriteProbe } from './write-probe.js';

/** Health checks for supervisors and load balancers. Source: docs/operating.md "Health". */
@Limited('health')
@Controller()
export class HealthController {
  constructor(
    private readonly config: AppConfig,
    private readonly database: Database,
    private readonly readiness: Readiness,
    private readonly probe: WriteProbe,
    private readonly queue: BackgroundQueue,
    // A store without a panel has no plugins.
    @Optional() @Inject(PluginReconciler) private readonly plugins: PluginReconciler | null = null,
    // A panel without a store keeps no packages.
    @Optional() @Inject(StorageHealth) private readonly packages: StorageHealth | null = null,
  ) {}

  /** Liveness: the process serves requests. */
  @Get('healthz')
  health(@Res() res: ServerResponse): void {
    sendJson(res, { status: 200, body: { status: 'ok' } });
  }

  /**
   * Readiness: migrations are done, enabled plugins have started, the database answers. A failed plugin is listed but does not make the
   * panel unready; nor does an unreachable package storage or Redis.
   */
  @Get('readyz')
  async ready(@Res() res: ServerResponse): Promise<void> {
    const database = await this.database.query('SELECT 1 AS one').then(
      () => true,
      () => false,
    );
    const starting = this.plugins?.startingSlugs ?? [];
    const unwritable = await this.probe.current();
    const ready = this.readiness.ready && !this.readiness.ending && database && unwritable.length === 0 && starting.length === 0;
    sendJson(res, {
      status: ready ? 200 : 503,
      body: {
        status: ready ? 'ready' : 'not ready',
        started: this.readiness.ready,
        ...(this.readiness.ending ? { ending: true } : {}),
        ...(unwritable.length > 0 ? { unwritable } : {}),
        database,
        services: [...this.config.services],
        ...(this.config.redisUrl ? { redis: this.queue.available } : {}),
        ...(starting.length > 0 ? { starting_plugins: starting } : {}),
        failed_plugins: [...(this.plugins?.failures.keys() ?? [])],
        ...(this.packages ? { packages: this.packages.current() } : {}),
      },
    });
  }
}
