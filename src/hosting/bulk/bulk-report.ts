import type { TextParams, TextRef } from '../../common/index.js';

/** Different reasons that are kept: what servers say can be another text for each host. */
const MOST_REASONS = 50;
const MAX_PARAM = 120;

/** Report of a bulk order, short enough to be kept with its task: the hosts are those of the order, in its order. */
export interface BulkReport {
  readonly done: number;
  readonly failed: number;
  /** For each host: 0 done, n for reason n of {@link reasons} from 1 on. */
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

  /** How many are through. */
  get through(): number {
    return this.count;
  }

  done(): void {
    this.count += 1;
  }

  /** @param at which host @param reason the last one that is kept stands for those there is no room for */
  failed(at: number, reason: TextRef): void {
    this.count += 1;
    const clipped: TextRef = { key: reason.key, params: clippedParams(reason.params) };
    const name = JSON.stringify(clipped);
    let number = this.known.get(name);
    if (number === undefined) {
      if (this.reasons.length < MOST_REASONS)
        this.reasons.push(this.reasons.length < MOST_REASONS - 1 ? clipped : { key: 'hosting.bulk_other_reason' });
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
