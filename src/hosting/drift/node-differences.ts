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

/** Source of the comparisons that the nightly job orders. */
export const NIGHTLY = 'cron';
/** Name of the background task. */
export const DRIFT_TASK = 'node.drift';
/** Differences of one server that are kept; the counts are whole. */
const MOST_KEPT = 20_000;
const BATCH = 200;
/** Sites that are repaired at once. */
const AT_ONCE = 4;
/** Tasks that are looked through for the newest of a server. */
const LOOKED_THROUGH = 100;

/** What can be repaired: of the others nobody knows whose they are. */
const REPAIRABLE: readonly DifferenceKind[] = ['missing', 'differing', 'moved', 'domains', 'settings', 'certificate'];

/** Payload of the task. */
export interface DriftOrder {
  readonly nodeId: number;
  /** False: it only compares. */
  readonly isRepair: boolean;
  /** Name of the administrator; {@link NIGHTLY} where nobody asked for it. */
  readonly by: string;
}

/** Counts of one comparison run. */
export interface DriftReport {
  /** Of a comparison: how many of each kind. */
  readonly counts?: Readonly<Record<DifferenceKind, number>>;
  /** Sites whose server did not tell what they are served with. */
  readonly untold?: number;
  /** Of a repair. */
  readonly done?: number;
  readonly failed?: number;
}

/** Differences between a server and the panel, as the last comparison found them, and their repair. */
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

  /** @param named by its id, or its code in any case @throws HostingError NODE_NOT_FOUND */
  async server(named: number | string): Promise<HostingNode> {
    const where = typeof named === 'number' ? { id: named } : { codeKey: named.toLowerCase() };
    const node = await this.database.repository(HostingNode).findOneBy(where);
    if (!node) throw new HostingError('NODE_NOT_FOUND', { code: typeof named === 'number' ? `#${named}` : named });
    return node;
  }

  /** Has a server compared, or what the last comparison found repaired; one of a server at a time. @returns the id of the task */
  async order(order: DriftOrder): Promise<string> {
    await this.server(order.nodeId);
    return this.queue.add(DRIFT_TASK, order, { key: `node:${order.nodeId}`, by: order.by });
  }

  /** The newest run for a server; null where there is none, or none any more. */
  async last(nodeId: number): Promise<TaskView | null> {
    const { tasks } = await this.queue.list({ name: DRIFT_TASK }, { page: 1, limit: LOOKED_THROUGH });
    return tasks.find(({ payload }) => (payload as DriftOrder).nodeId === nodeId) ?? null;
  }

  /** A part of what was found, in the order of the comparison. */
  async page(nodeId: number, page: number, limit: number): Promise<{ total: number; rows: NodeDifference[] }> {
    const [rows, total] = await this.rows.findAndCount({
      where: { nodeId },
      order: { id: 'ASC' },
      skip: (page - 1) * limit,
      take: limit,
    });
    return { total, rows };
  }

  /** A site no account knew is one's now. */
  async adopted(nodeId: number, siteName: string): Promise<void> {
    await this.rows.update({ nodeId, siteName, kind: 'unknown' }, { state: 'done', reason: null });
  }

  /** Whether anything that was found can be repaired. */
  hasOpen(nodeId: number): Promise<boolean> {
    return this.rows.existsBy({ nodeId, kind: In([...REPAIRABLE]), state: In(['open', 'failed']) });
  }

  /**
   * Repairs the site of one account now.
   *
   * @returns what was done
   * @throws as {@link SiteRepair.repair}
   */
  async repairHost(accountId: number): Promise<'made' | 'told'> {
    const difference = await this.rows.findOneBy({ accountId, kind: 'moved', state: In(['open', 'failed']) });
    if (difference) await this.adoptId(difference);
    const outcome = await this.repairs.repair(accountId);
    await this.rows.update({ accountId, kind: In([...REPAIRABLE]) }, { state: 'done', reason: null });
    return outcome;
  }

  /** @throws Error when it is told to stop; what was done by then stays done */
  @BackgroundTask({ name: DRIFT_TASK, attempts: 2, timeoutMinutes: 240, concurrency: 2 })
  async run(payload: unknown, turn: TaskTurn): Promise<DriftReport> {
    const { nodeId, isRepair, by } = payload as DriftOrder;
    const node = await this.database.repository(HostingNode).findOneBy({ id: nodeId });
    if (!node) return { done: 0, failed: 0 };
    return isRepair ? this.repairAll(node, by, turn) : this.compare(node, by, turn);
  }

  /** Somebody who compares by hand sees what is found. */
  private async compare(node: HostingNode, by: string, turn: TaskTurn): Promise<DriftReport> {
    const drift = await this.check.compare(node);
    const notTheirs = new Set([...drift.missing, ...drift.foreign].map(({ accountId }) => accountId));
    const served = await this.served.of(node, notTheirs, turn);
    const found = rowsOf(node.id, drift, served);
    await this.database.transaction(async () => {
      if (by === NIGHTLY) {
        const before = await this.rows.find({ select: { kind: true, siteName: true }, where: { nodeId: node.id, state: Not('done') } });
        await this.notices.tell(node, before, found);
      }
      await this.rows.delete({ nodeId: node.id });
      const kept = found.slice(0, MOST_KEPT);
      for (let from = 0; from < kept.length; from += BATCH) await this.rows.insert(kept.slice(from, from + BATCH));
    });
    const counts = { unknown: 0, foreign: 0, missing: 0, differing: 0, moved: 0, domains: 0, settings: 0, certificate: 0 };
    for (const { kind } of found) counts[kind] += 1;
    return { counts, untold: served.untold };
  }

  /** Every one that was found and can be repaired, once; one that fails stops no other. */
  private async repairAll(node: HostingNode, by: string, turn: TaskTurn): Promise<DriftReport> {
    const where = { nodeId: node.id, kind: In([...REPAIRABLE]), state: In(['open', 'failed']) };
    const open = await this.rows.find({ where, order: { id: 'ASC' }, take: MOST_KEPT });
    const repaired = new Map<number, Promise<TextRef | null>>();
    let [next, done, failed] = [0, 0, 0];
    const work = async (): Promise<void> => {
      while (next < open.length) {
        turn.signal.throwIfAborted();
        const difference = open[next]!;
        next += 1;
        // A site is told all it is to be at once, however many things differ.
        const repair = (difference.kind !== 'moved' && repaired.get(difference.accountId)) || this.repairOne(difference);
        if (difference.kind !== 'moved') repaired.set(difference.accountId, repair);
        const reason = await repair;
        await this.rows.update({ id: difference.id }, { state: reason ? 'failed' : 'done', reason });
        if (reason) failed += 1;
        else done += 1;
        turn.progress(done + failed, open.length);
      }
    };
    const ends = await Promise.allSettled(Array.from({ length: AT_ONCE }, work));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
    await this.note(node, by, done, failed);
    return { done, failed };
  }

  /** @returns why not; null where it is repaired, or its account is gone */
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

/** Rows of a comparison; what can be repaired comes first. */
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
