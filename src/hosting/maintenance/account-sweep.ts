import { loggerFor } from '../../common/index.js';
import type { HostingAccount } from '../entities/index.js';
import { HostingError } from '../hosting-errors.js';

const log = loggerFor('hosting');

/** Jobs and nodes whose missing driver was told of in this process: a plugin that is off for days fills no log. */
const told = new Set<string>();

/** An account a recurring job looks at. */
export type SweptAccount = Pick<HostingAccount, 'id' | 'nodeCode'>;

/**
 * One run of a recurring job over accounts. What happens to one stops no other, and a node that does not answer is not asked
 * again for every account it has: its deadline would hold up the rest.
 */
export class AccountSweep {
  private readonly silentNodes = new Set<string>();
  private done = 0;

  /** @param what what the job does, for the log */
  constructor(private readonly what: string) {}

  /** How many were worked on without an error. */
  get count(): number {
    return this.done;
  }

  async each(accounts: readonly SweptAccount[], work: (account: SweptAccount) => Promise<void>): Promise<void> {
    for (const account of accounts) {
      if (this.silentNodes.has(account.nodeCode)) continue;
      try {
        await work(account);
        this.done += 1;
        told.delete(this.place(account));
      } catch (error) {
        if (isSilence(error)) this.silentNodes.add(account.nodeCode);
        if (isMissing(error) && this.wasTold(account)) continue;
        log.warn({ err: error, account: account.id, node: account.nodeCode, job: this.what }, 'an account is left for the next run');
      }
    }
  }

  private place({ nodeCode }: SweptAccount): string {
    return `${this.what} ${nodeCode}`;
  }

  /** Whether it was told before; it is from now on. */
  private wasTold(account: SweptAccount): boolean {
    const before = told.size;
    return told.add(this.place(account)).size === before;
  }
}

const isMissing = (error: unknown): boolean => error instanceof HostingError && error.code === 'DRIVER_MISSING';

const SILENT: readonly string[] = ['NODE_UNREACHABLE', 'NODE_UNCERTAIN', 'NODE_SILENT', 'NODE_NOT_FOUND', 'DRIVER_MISSING'];

/** What the node's next account would come to as well. */
function isSilence(error: unknown): boolean {
  return error instanceof HostingError && SILENT.includes(error.code);
}
