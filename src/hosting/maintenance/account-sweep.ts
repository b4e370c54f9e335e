import { loggerFor } from '../../common/index.js';
import type { HostingAccount } from '../entities/index.js';
import { HostingError } from '../hosting-errors.js';

const log = loggerFor('hosting');

/** Jobs and nodes whose missing driver this process has already logged, so that a plugin disabled for days does not flood the log. */
const reportedMissing = new Set<string>();

/** An account processed by a recurring job. */
export type SweptAccount = Pick<HostingAccount, 'id' | 'nodeCode'>;

/**
 * One run of a recurring job over accounts. A failure of one does not stop the others. A node that does not answer is skipped for the rest
 * of the run, because waiting for its timeout for every account would delay the others.
 */
export class AccountSweep {
  private readonly failedNodes = new Set<string>();
  private done = 0;

  /** @param what name of the job, for the log */
  constructor(private readonly what: string) {}

  /** Number of accounts processed without an error. */
  get count(): number {
    return this.done;
  }

  async each(accounts: readonly SweptAccount[], work: (account: SweptAccount) => Promise<void>): Promise<void> {
    for (const account of accounts) {
      if (this.failedNodes.has(account.nodeCode)) continue;
      try {
        await work(account);
        this.done += 1;
        reportedMissing.delete(this.keyOf(account));
      } catch (error) {
        if (failsForNode(error)) this.failedNodes.add(account.nodeCode);
        if (isMissing(error) && this.wasReported(account)) continue;
        log.warn(
          { err: error, account: account.id, node: account.nodeCode, job: this.what },
          'an account could not be processed; the next run retries',
        );
      }
    }
  }

  private keyOf({ nodeCode }: SweptAccount): string {
    return `${this.what} ${nodeCode}`;
  }

  /** Returns whether it was logged before, and marks it as logged. */
  private wasReported(account: SweptAccount): boolean {
    const before = reportedMissing.size;
    return reportedMissing.add(this.keyOf(account)).size === before;
  }
}

const isMissing = (error: unknown): boolean => error instanceof HostingError && error.code === 'DRIVER_MISSING';

const NODE_FAILURES: readonly string[] = ['NODE_UNREACHABLE', 'NODE_UNCERTAIN', 'NODE_SILENT', 'NODE_NOT_FOUND', 'DRIVER_MISSING'];

/** Returns whether the node's next account would fail in the same way. */
function failsForNode(error: unknown): boolean {
  return error instanceof HostingError && NODE_FAILURES.includes(error.code);
}
