import type { TextParams, TextRef } from '../../common/index.js';

/** Maximum number of different reasons: messages of servers may differ for every host. */
const MAX_REASONS = 50;
const MAX_PARAM = 120;

/** Report of a bulk order, short enough to be stored with its task; hosts are in the order of the items. */
export interface BulkReport {
  readonly done: number;
  readonly failed: number;
  /** For each host: 0 for done, otherwise the number of its reason in {@link reasons}, from 1. */
  readonly outcomes: readonly number[];
  readonly reasons: readonly TextRef[];
}

/** Collects the outcomes of a bulk order while it runs. */
export class BulkOutcomes {
  private readonly outcomes: number[];
  private readonly reasons: TextRef[] = [];
  private readonly known = new Map<string, number>();
  private count = 0;

  constructor(readonly total: number) {
    this.outcomes = Array<number>(total).fill(0);
  }

  /** Number of processed hosts. */
  get processed(): number {
    return this.count;
  }

  done(): void {
    this.count += 1;
  }

  /** @param at index of the host @param reason once the list is full, its last entry stands for all further reasons */
  failed(at: number, reason: TextRef): void {
    this.count += 1;
    const clipped: TextRef = { key: reason.key, params: clippedParams(reason.params) };
    const name = JSON.stringify(clipped);
    let number = this.known.get(name);
    if (number === undefined) {
      if (this.reasons.length < MAX_REASONS)
        this.reasons.push(this.reasons.length < MAX_REASONS - 1 ? clipped : { key: 'hosting.bulk_other_reason' });
      number = this.reasons.length;
      this.known.set(name, number);
    }
    this.outcomes[at] = number;
  }

  report(): BulkReport {
    const failed = this.outcomes.filter((outcome) => outcome > 0).length;
    return { done: this.total - failed, failed, outcomes: this.outcomes, reasons: this.reasons };
  }
}

function clippedParams(params: TextParams = {}): TextParams {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, typeof value === 'string' ? value.slice(0, MAX_PARAM) : value]),
  );
}
