import { Injectable } from '@nestjs/common';

import { Clock } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { MaintenanceWindow } from '../entities/index.js';
import { isResting, type Watched } from '../states/windows.js';

/** How long windows are cached, in milliseconds. */
const KEPT_MS = 5_000;
/** Maximum number of windows. */
export const MAX_WINDOWS = 200;

/** Cached maintenance windows for the check runner. */
@Injectable()
export class MaintenanceWindows {
  private windows: MaintenanceWindow[] = [];
  private readAt = 0;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Reloads the windows if the cache has expired. */
  async refresh(): Promise<void> {
    const now = this.clock.now().getTime();
    if (Math.abs(now - this.readAt) < KEPT_MS) return;
    this.windows = await this.database.repository(MaintenanceWindow).find({ order: { id: 'ASC' }, take: MAX_WINDOWS });
    this.readAt = now;
  }

  /** Invalidates the cache after a change in this process. */
  forget(): void {
    this.readAt = 0;
  }

  /** Whether a monitor is in a maintenance window, as of the last {@link refresh}. */
  isResting(watched: Watched): boolean {
    return this.windows.length > 0 && isResting(this.windows, watched, this.clock.now());
  }
}
