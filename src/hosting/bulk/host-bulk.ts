import { Injectable } from '@nestjs/common';

import { AppError, errorMessage, loggerFor, translate, type TextRef } from '../../common/index.js';
import { ZonedClock } from '../../config/index.js';
import { Database } from '../../database/index.js';
import { BackgroundQueue, BackgroundTask, type TaskTurn, type TaskView } from '../../jobs/index.js';
import { AUDIT_LOCALE, AuditLog } from '../../operations/index.js';
import { HostingAccount } from '../entities/index.js';
import { NEVER } from '../wire/index.js';

import { BulkActions } from './bulk-actions.js';
import { itemOf, SINGLE_OPERATION, type HostBulkAction, type BulkItem, type BulkOrder, type Renewal } from './bulk-order.js';
import { BulkOutcomes, type BulkReport } from './bulk-report.js';

/** Name of the background task. */
export const BULK_TASK = 'host.bulk';
/** Hosts of one order processed in parallel. */
const CONCURRENCY = 4;
/** Number of tasks searched for an administrator's newest one. */
const SEARCHED_TASKS = 100;

const log = loggerFor('hosting');

/** Operation log messages, the same as for operations on one host. */
const LINES: Readonly<Record<HostBulkAction, string>> = {
  pause: 'hosting.audit_pause',
  resume: 'hosting.audit_resume',
  renew: 'hosting.audit_renew',
  delete: 'hosting.audit_delete',
};

/**
 * Runs an action on many hosts in the background, each like the single operation. An interrupted run is repeated: hosts already done count
 * as done, and nothing is done twice.
 */
@Injectable()
export class HostBulk {
  constructor(
    private readonly actions: BulkActions,
    private readonly database: Database,
    private readonly queue: BackgroundQueue,
    private readonly audit: AuditLog,
    private readonly clock: ZonedClock,
  ) {}

  /**
   * Queues an action.
   *
   * @param ids at most 500, 0 for invalid ids; hosts that do not exist are listed in the report
   * @param renewal only for `renew`
   * @param pause for `pause` and `resume`: the reason, and whether the owners are notified
   * @returns the id of the task
   */
  async order(
    action: HostBulkAction,
    ids: readonly number[],
    renewal: Renewal | null,
    by: string,
    pause: Pick<BulkOrder, 'why' | 'tells'> = {},
  ): Promise<string> {
    const rows = await this.database
      .repository(HostingAccount)
      .createQueryBuilder('host')
      .select(['host.id', 'host.username', 'host.expiresOn'])
      .whereInIds([...ids])
      .getMany();
    const found = new Map(rows.map((row) => [row.id, row]));
    const today = this.clock.today();
    const items = ids.map((id): BulkItem => {
      const account = found.get(id);
      return account ? itemOf(account, renewal, today) : [id, ''];
    });
    return this.queue.add(BULK_TASK, { deed: action, by, items, ...pause } satisfies BulkOrder, { by });
  }

  /** Returns the newest order of an administrator, or the administrator's order with this id; null if not found. */
  async find(by: string, id?: string): Promise<TaskView | null> {
    if (id !== undefined) {
      const task = await this.queue.find(id);
      return task?.name === BULK_TASK && task.by === by ? task : null;
    }
    const { tasks } = await this.queue.list({ name: BULK_TASK }, { page: 1, limit: SEARCHED_TASKS });
    return tasks.find((task) => task.by === by) ?? null;
  }

  /** @throws Error when it is aborted; work done by then is kept */
  @BackgroundTask({ name: BULK_TASK, attempts: 3, timeoutMinutes: 240, concurrency: 2 })
  async run(payload: unknown, turn: TaskTurn): Promise<BulkReport> {
    const order = payload as BulkOrder;
    const { items } = order;
    const outcomes = new BulkOutcomes(items.length);
    let next = 0;
    const work = async (): Promise<void> => {
      while (next < items.length) {
        turn.signal.throwIfAborted();
        const at = next;
        next += 1;
        await this.one(order, items[at]!).then(
          () => outcomes.done(),
          (error: unknown) => outcomes.failed(at, reasonOf(error, items[at]![0])),
        );
        turn.progress(outcomes.processed, outcomes.total);
      }
    };
    const ends = await Promise.allSettled(Array.from({ length: CONCURRENCY }, work));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
    return outcomes.report();
  }

  /** @throws AppError when it cannot be done */
  private async one(order: BulkOrder, item: BulkItem): Promise<void> {
    await this.actions.do(order, item);
    await this.note(order, item);
  }

  private async note({ deed: action, by, why }: BulkOrder, [id, user, from, to]: BulkItem): Promise<void> {
    const host: string | TextRef = why ? { key: 'hosting.host_because', params: { user, yy: why } } : user;
    const text: TextRef = { key: LINES[action], params: { user: host, datae: to || NEVER } };
    const summary = translate(AUDIT_LOCALE, text.key, text.params);
    const fields = action === 'renew' && from !== to ? [{ name: 'expiresOn', before: from || null, after: to || null }] : [];
    const changes = [{ of: 'host', id: String(id), deed: 'changed' as const, fields }];
    await this.audit.write({ actor: by, category: SINGLE_OPERATION[action], summary, text, outcome: 'ok', changes });
  }
}

function reasonOf(error: unknown, id: number): TextRef {
  if (error instanceof AppError) return { key: error.shape.text, params: error.params };
  log.error({ err: error, account: id, message: errorMessage(error) }, 'a bulk action failed for a host');
  return { key: 'hosting.delete_failed' };
}
