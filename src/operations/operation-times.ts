import { Injectable } from '@nestjs/common';

import type { Scope } from '../sdk/index.js';

/** Statistics of an operation since the process was started. Times in milliseconds. */
export interface OperationTime {
  readonly side: Scope;
  readonly name: string;
  readonly calls: number;
  /** Calls that were rejected or failed. */
  readonly refused: number;
  readonly total: number;
  readonly longest: number;
}

/** Durations of operations since the process was started, from lookup to answer, in milliseconds; one entry per registered name. */
@Injectable()
export class OperationTimes {
  private readonly entries = new Map<string, { -readonly [Field in keyof OperationTime]: OperationTime[Field] }>();

  /** Records a call. @param took milliseconds */
  note(side: Scope, name: string, took: number, isRefused: boolean): void {
    const key = `${side}.${name}`;
    let entry = this.entries.get(key);
    if (!entry) this.entries.set(key, (entry = { side, name, calls: 0, refused: 0, total: 0, longest: 0 }));
    entry.calls += 1;
    if (isRefused) entry.refused += 1;
    entry.total += took;
    if (took > entry.longest) entry.longest = took;
  }

  /** Returns the operations called so far, most total time first. */
  list(): OperationTime[] {
    return [...this.entries.values()].sort((a, b) => b.total - a.total);
  }
}
