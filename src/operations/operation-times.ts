import { Injectable } from '@nestjs/common';

import type { Scope } from '../sdk/index.js';

/** How an operation went since the process was started. Times in milliseconds. */
export interface OperationTime {
  readonly side: Scope;
  readonly name: string;
  readonly calls: number;
  /** Answers that were refusals or failures. */
  readonly refused: number;
  readonly total: number;
  readonly longest: number;
}

/** Durations of operations since the start of the process, from lookup to answer, in milliseconds; one entry for each registered name. */
@Injectable()
export class OperationTimes {
  private readonly entries = new Map<string, { -readonly [Field in keyof OperationTime]: OperationTime[Field] }>();

  /** Notes a call. @param took milliseconds */
  note(side: Scope, name: string, took: number, isRefused: boolean): void {
    const key = `${side}.${name}`;
    let entry = this.entries.get(key);
    if (!entry) this.entries.set(key, (entry = { side, name, calls: 0, refused: 0, total: 0, longest: 0 }));
    entry.calls += 1;
    if (isRefused) entry.refused += 1;
    entry.total += took;
    if (took > entry.longest) entry.longest = took;
  }

  /** Those that were called, most time first. */
  list(): OperationTime[] {
    return [...this.entries.values()].sort((a, b) => b.total - a.total);
  }
}
