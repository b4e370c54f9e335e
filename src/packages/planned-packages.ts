import { Injectable } from '@nestjs/common';

import { Clock } from '../common/index.js';
import { Database, isUniqueViolation } from '../database/index.js';
import type { HostRecord } from '../sdk/index.js';

import { PlannedPackage } from './entities/index.js';

/** A planned package change. */
export type NewPlan = Omit<PlannedPackage, 'id' | 'createdAt'>;

/** Package changes planned for the next renewal, at most one per host. */
@Injectable()
export class PlannedPackages {
  private readonly remove;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    this.remove = database.statement('DELETE FROM {PlannedPackage} WHERE {PlannedPackage.hostId} = ?');
  }

  /** Returns the planned change; null if there is none, or the host's package is no longer the one it was planned from. */
  async of({ id, package: key }: Pick<HostRecord, 'id' | 'package'>): Promise<PlannedPackage | null> {
    const plan = await this.database.repository(PlannedPackage).findOneBy({ hostId: id });
    return plan && plan.fromPackage === key ? plan : null;
  }

  /** Plans a change; replaces an earlier plan. */
  async plan(plan: NewPlan): Promise<void> {
    const rows = this.database.repository(PlannedPackage);
    const row = { ...plan, createdAt: this.clock.now() };
    const { hostId } = plan;
    await rows.insert(row).catch(async (error: unknown) => {
      if (!isUniqueViolation(error)) throw error;
      await rows.update({ hostId }, row);
    });
  }

  /** Cancels a plan, within the current transaction if one is open. @returns whether one existed */
  async cancel(hostId: number): Promise<boolean> {
    return (await this.remove.run(hostId)).affected > 0;
  }
}
