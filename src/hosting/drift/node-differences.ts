import { Injectable } from '@nestjs/common';
import { In, Not } from 'typeorm';

import { AppError, errorMessage, loggerFor, translate, type TextRef } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { BackgroundQueue, BackgroundTask, type TaskTurn, type TaskView } from '../../jobs/index.js';
import { AUDIT_LOCALE, AuditLog } from '../../operations/index.js';
import { type DifferenceKind, HostingNode, NodeDifference } from '../entities/index.js';
import { HostingError } from '../hosting-errors.js';
import { type NodeDrift, NodeDriftCheck } from '../maintenance/index.js';

import { DriftNotices } from './drift-notices.js';
import { ServedDifferences, type ServedDrift } from './served-differences.js';
import { SiteRepair } from './site-repair.js';

const log = loggerFor('hosting');

/** Source of comparisons queued by the nightly job. */
export const NIGHTLY = 'cron';
/** Name of the background task. */
export const DRIFT_TASK = 'node.drift';
/** Maximum number of stored differences per server; the counts are complete. */
const MAX_STORED = 20_000;
const BATCH = 200;
/** Sites repaired in parallel. */
const CONCURRENCY = 4;
/** Number of tasks searched for the newest of a server. */
const SEARCHED_TASKS = 100;

/** Kinds that can be repaired; the other sites have no known owner. */
const REPAIRABLE: readonly DifferenceKind[] = ['missing', 'differing', 'moved', 'domains', 'settings', 'certificate'];

/** Payload of the task. */
export interface DriftOrder {
  readonly nodeId: number;
  /** False only compares. */
  readonly isRepair: boolean;
  /** Name of the administrator; {@link NIGHTLY} for the nightly job. */
  readonly by: string;
}

/** Result of a run. */
export interface DriftReport {
  /** Of a comparison: number of differences by kind. */
  readonly counts?: Readonly<Record<DifferenceKind, number>>;
  /** Sites whose server did not report what they are served with. */
  readonly untold?: number;
  /** Of a repair. */
  readonly done?: number;
  readonly failed?: number;
}

/** Differences between a server and the panel according to the last comparison, and their repair. */
@Injectable()
export class NodeDifferences {
  constructor(
    private readonly database: Database,
    private readonly queue: BackgroundQueue,
    private readonly check: NodeDriftCheck,
    private readonly served: ServedDifferences,
    private readonly repairs: SiteRepair,
    private readonly notices: DriftNotices,
    private readonly audit: AuditLog,
  ) {}

  /** @param named id, or code in any case @throws HostingError NODE_NOT_FOUND */
  async server(named: number | string): Promise<HostingNode> {
    const where = typeof named === 'number' ? { id: named } : { codeKey: named.toLowerCase() };
    const node = await this.database.repository(HostingNode).findOneBy(where);
    if (!node) throw new HostingError('NODE_NOT_FOUND', { code: typeof named === 'number' ? `#${named}` : named });
    return node;
  }

  /** Queues a comparison or a repair of a server; one per server at a time. @returns the id of the task */
  async order(order: DriftOrder): Promise<string> {
    await this.server(order.nodeId);
    return this.queue.add(DRIFT_TASK, order, { key: `node:${order.nodeId}`, by: order.by });
  }

  /** Returns the newest run for a server; null if not found. */
  async last(nodeId: number): Promise<TaskView | null> {
    const { tasks } = await this.queue.list({ name: DRIFT_TASK }, { page: 1, limit: SEARCHED_TASKS });
    return tasks.find(({ payload }) => (payload as DriftOrder).nodeId === nodeId) ?? null;
  }

  /** Returns a page of the differences, in the order of the comparison. */
  async page(nodeId: number, page: number, limit: number): Promise<{ total: number; rows: NodeDifference[] }> {
    const [rows, total] = await this.rows.findAndCount({
      where: { nodeId },
      order: { id: 'ASC' },
      skip: (page - 1) * limit,
      take: limit,
    });
    return { total, rows };
  }

  /** Marks an unknown site as adopted. */
  async adopted(nodeId: number, siteName: string): Promise<void> {
    await this.rows.update({ nodeId, siteName, kind: 'unknown' }, { state: 'done', reason: null });
  }

  /** Returns whether any difference can be repaired. */
  hasOpen(nodeId: number): Promise<boolean> {
    return this.rows.existsBy({ nodeId, kind: In([...REPAIRABLE]), state: In(['open', 'failed']) });
  }

  /**
   * Repairs the site of one account now.
   *
   * @returns what was done
   * @throws as {@link SiteRepair.repair}
   */
  async repairHost(accountId: number): Promise<'made' | 'updated'> {
    const difference = await this.rows.findOneBy({ accountId, kind: 'moved', state: In(['open', 'failed']) });
    if (difference) await this.adoptId(difference);
    const outcome = await this.repairs.repair(accountId);
    await this.rows.update({ accountId, kind: In([...REPAIRABLE]) }, { state: 'done', reason: null });
    return outcome;
  }

  /** @throws Error when it is aborted; work done by then is kept */
  @BackgroundTask({ name: DRIFT_TASK, attempts: 2, timeoutMinutes: 240, concurrency: 2 })
  async run(payload: unknown, turn: TaskTurn): Promise<DriftReport> {
    const { nodeId, isRepair, by } = payload as DriftOrder;
    const node = await this.database.repository(HostingNode).findOneBy({ id: nodeId });
    if (!node) return { done: 0, failed: 0 };
    return isRepair ? this.repairAll(node, by, turn) : this.compare(node, by, turn);
  }

  /** Compares a server. Only nightly runs send notices: an administrator who compares manually sees the result. */
  private async compare(node: HostingNode, by: string, turn: TaskTurn): Promise<DriftReport> {
    const drift = await this.check.compare(node);
    const excluded = new Set([...drift.missing, ...drift.foreign].map(({ accountId }) => accountId));
    const served = await this.served.of(node, excluded, turn);
    const found = rowsOf(node.id, drift, served);
    await this.database.transaction(async () => {
      if (by === NIGHTLY) {
        const before = await this.rows.find({ select: { kind: true, siteName: true }, where: { nodeId: node.id, state: Not('done') } });
        await this.notices.notify(node, before, found);
      }
      await this.rows.delete({ nodeId: node.id });
      const kept = found.slice(0, MAX_STORED);
      for (let from = 0; from < kept.length; from += BATCH) await this.rows.insert(kept.slice(from, from + BATCH));
    });
    const counts = { unknown: 0, foreign: 0, missing: 0, differing: 0, moved: 0, domains: 0, settings: 0, certificate: 0 };
    for (const { kind } of found) counts[kind] += 1;
    return { counts, untold: served.untold };
  }

  /** Repairs every repairable difference once; a failure does not stop the others. */
  private async repairAll(node: HostingNode, by: string, turn: TaskTurn): Promise<DriftReport> {
    const where = { nodeId: node.id, kind: In([...REPAIRABLE]), state: In(['open', 'failed']) };
    const open = await this.rows.find({ where, order: { id: 'ASC' }, take: MAX_STORED });
    const repaired = new Map<number, Promise<TextRef | null>>();
    let [next, done, failed] = [0, 0, 0];
    const work = async (): Promise<void> => {
      while (next < open.length) {
        turn.signal.throwIfAborted();
        const difference = open[next]!;
        next += 1;
        // One repair of a site covers all its differences.
        const repair = (difference.kind !== 'moved' && repaired.get(difference.accountId)) || this.repairOne(difference);
        if (difference.kind !== 'moved') repaired.set(difference.accountId, repair);
        const reason = await repair;
        await this.rows.update({ id: difference.id }, { state: reason ? 'failed' : 'done', reason });
        if (reason) failed += 1;
        else done += 1;
        turn.progress(done + failed, open.length);
      }
    };
    const ends = await Promise.allSettled(Array.from({ length: CONCURRENCY }, work));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
    await this.note(node, by, done, failed);
    return { done, failed };
  }

  /** @returns the reason of the failure; null if repaired, or if the account no longer exists */
  private async repairOne(difference: NodeDifference): Promise<TextRef | null> {
    try {
      if (difference.kind === 'moved') await this.adoptId(difference);
      else await this.repairs.repair(difference.accountId);
      return null;
    } catch (error) {
      if (error instanceof HostingError && error.code === 'ACCOUNT_NOT_FOUND') return null;
      if (error instanceof AppError) return { key: error.shape.text, params: error.params };
      log.error({ err: error, account: difference.accountId, message: errorMessage(error) }, 'a site could not be repaired');
      return { key: 'hosting.repair_failed' };
    }
  }

  private async adoptId({ accountId, siteName, from, to }: NodeDifference): Promise<void> {
    await this.check.adopt({ accountId, siteName, from, to });
  }

  private async note(node: HostingNode, by: string, done: number, failed: number): Promise<void> {
    const text: TextRef = { key: 'hosting.audit_repaired_all', params: { btdh: node.code, done, failed } };
    const summary = translate(AUDIT_LOCALE, text.key, text.params);
    await this.audit.write({ actor: by, category: 'bttb', summary, text, outcome: 'ok' });
  }

  private get rows() {
    return this.database.repository(NodeDifference);
  }
}

type NewDifference = Pick<NodeDifference, 'nodeId' | 'kind' | 'siteName' | 'username' | 'accountId'> & Partial<NodeDifference>;

/** Rows of a comparison; repairable differences come first. */
function rowsOf(nodeId: number, { unknown, foreign, missing, differing, moved }: NodeDrift, served: ServedDrift): NewDifference[] {
  const known = (kind: DifferenceKind) => (site: { accountId: number; siteName: string; username: string }) => ({
    nodeId,
    kind,
    accountId: site.accountId,
    siteName: site.siteName,
    username: site.username,
  });
  return [
    ...missing.map(known('missing')),
    ...differing.map(known('differing')),
    ...moved.map((site) => ({ ...known('moved')(site), from: site.from, to: site.to })),
    ...served.found.map((site) => known(site.kind)(site)),
    ...foreign.map(known('foreign')),
    ...unknown.map(({ siteName, username }) => ({ nodeId, kind: 'unknown' as const, accountId: 0, siteName, username })),
  ];
}
