import { Injectable } from '@nestjs/common';

import { Clock } from '../common/index.js';
import { Database, isUniqueViolation } from '../database/index.js';
import type { HostRecord } from '../sdk/index.js';

import { PlannedPackage } from './entities/index.js';

/** What a host is to become. */
export type NewPlan = Omit<PlannedPackage, 'id' | 'createdAt'>;

/** Changes of package that are made with the next renewal: one at most of each host. */
@Injectable()
export class PlannedPackages {
  private readonly remove;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    this.remove = database.statement('DELETE FROM {PlannedPackage} WHERE {PlannedPackage.hostId} = ?');
  }

  /** What a host becomes with its next renewal; null for what it is, or where it is of another package by now than it was planned from. */
  async of({ id, package: key }: Pick<HostRecord, 'id' | 'package'>): Promise<PlannedPackage | null> {
    const plan = await this.database.repository(PlannedPackage).findOneBy({ hostId: id });
    return plan && plan.fromPackage === key ? plan : null;
  }

  /** Plans a change in place of the one that was planned before. */
  async plan(plan: NewPlan): Promise<void> {
    const rows = this.database.repository(PlannedPackage);
    const row = { ...plan, createdAt: this.clock.now() };
    const { hostId } = plan;
    await rows.insert(row).catch(async (error: unknown) => {
      if (!isUniqueViolation(error)) throw error;
      await rows.update({ hostId }, row);
    });
  }

  /** @returns whether there was one; in an open transaction as part of it */
  async cancel(hostId: number): Promise<boolean> {
    return (await this.remove.run(hostId)).affected > 0;
  }
}
