import { Injectable } from '@nestjs/common';

import type { Undo } from '../common/index.js';
import type { Scope } from '../sdk/index.js';

import { Changeovers } from './changeovers.js';
import type { OperationRecord } from './operation.js';

/** Prefix of operation names reserved for plugins. */
export const PLUGIN_OPERATION_PREFIX = 'p_';

/** Registry of all AJAX operations by side and name. Owners are plain strings here; it knows nothing of plugins. */
@Injectable()
export class OperationRegistry {
  private readonly operations: Record<Scope, Map<string, OperationRecord>> = { admin: new Map(), user: new Map() };

  constructor(readonly changeovers: Changeovers) {}

  /** @throws Error naming the owner of an existing operation with the same name */
  add(record: OperationRecord): Undo {
    const names = this.operations[record.side];
    const existing = names.get(record.name);
    if (existing) {
      throw new Error(`The ${record.side} operation "${record.name}" is already registered by "${existing.owner}".`);
    }
    names.set(record.name, record);
    return () => {
      if (names.get(record.name) === record) names.delete(record.name);
    };
  }

  /** Returns the operation with that name, if any. */
  find(side: Scope, name: string): OperationRecord | undefined {
    return this.operations[side].get(name);
  }

  /** Every operation, for checks and listings. */
  all(): OperationRecord[] {
    return [...this.operations.admin.values(), ...this.operations.user.values()];
  }

  /** Returns the number of operations per owner. */
  owners(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const record of this.all()) counts.set(record.owner, (counts.get(record.owner) ?? 0) + 1);
    return counts;
  }
}
