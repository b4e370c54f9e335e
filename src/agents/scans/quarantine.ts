import { createHash, randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';

import { Clock, loggerFor, translate } from '../../common/index.js';
import { Database, isUniqueViolation } from '../../database/index.js';
import { HostingService } from '../../hosting/index.js';
import { Job, JobRuns } from '../../jobs/index.js';
import { Notices, registerNotice } from '../../notify/index.js';
import { AUDIT_LOCALE, AuditLog } from '../../operations/index.js';
import { SiteSettings } from '../../site/index.js';
import { AgentError } from '../agent-error.js';
import { AgentNode, NodeTask, QuarantinedFile, type QuarantineState } from '../entities/index.js';
import { TaskQueue } from '../tasks/index.js';
import { QUARANTINE_CAPABILITY, type QuarantinePayload, type TaskAction } from '../wire/index.js';

import '../texts.js';
import { shownMatch } from './shown-match.js';

const log = loggerFor('scans');
const JOB = 'quarantine';
const DAY_MS = 86_400_000;
const BATCH = 100;
const ERROR_LENGTH = 500;

registerNotice({
  kind: 'scan',
  title: { key: 'node.notice_quarantined' },
  texts: [{ key: 'node.notice_quarantined_text', params: { word: 'casino', file: 'index.html', days: 30 } }],
});

/** A file that is to be taken out of a site. */
export interface FileToTake {
  readonly nodeId: string;
  readonly path: string;
  readonly keyword: string;
  readonly hostId: number | null;
}

/** What a task that was done makes of a file. */
const DONE: Partial<Record<QuarantineState, QuarantineState>> = { moving: 'held', restoring: 'restored', deleting: 'deleted' };

/**
 * Files that agents take out of sites, put back and delete. The row says what was asked for, the agent's task does it, and the row follows its end: by the report, and by a
 * job where none came. Only agents that say they can are asked. Source: docs/panel-api.md "Quarantine".
 */
@Injectable()
export class Quarantine {
  private readonly underWay;
  private readonly due;

  constructor(
    private readonly database: Database,
    private readonly tasks: TaskQueue,
    private readonly hosting: HostingService,
    private readonly notices: Notices,
    private readonly audit: AuditLog,
    private readonly settings: SiteSettings,
    private readonly clock: Clock,
    private readonly runs: JobRuns,
  ) {
    this.underWay = database.statement<{ taskId: string }>(
      `SELECT q.{QuarantinedFile.taskId} AS taskId FROM {QuarantinedFile} q
       LEFT JOIN {NodeTask} t ON t.{NodeTask.taskId} = q.{QuarantinedFile.taskId}
       WHERE q.{QuarantinedFile.state} IN ('moving', 'restoring', 'deleting')
         AND (t.{NodeTask.id} IS NULL OR t.{NodeTask.status} IN ('success', 'failed')) ORDER BY q.{QuarantinedFile.id} LIMIT ${BATCH}`,
    );
    this.due = database.statement<{ id: number }>(
      `SELECT {QuarantinedFile.id} AS id FROM {QuarantinedFile} WHERE {QuarantinedFile.purgeAt} <= ? AND {QuarantinedFile.state} = 'held'
       ORDER BY {QuarantinedFile.purgeAt}, {QuarantinedFile.id} LIMIT ${BATCH}`,
    );
  }

  /** Whether the agent says that it can, and may be asked. */
  async isAble(nodeId: string): Promise<boolean> {
    const node = await this.database.repository(AgentNode).findOneBy({ nodeId });
    return node !== null && node.enabled && node.capabilities.includes(QUARANTINE_CAPABILITY);
  }

  /**
   * Has a file taken out of its site, once however often it is asked for while it is out.
   *
   * @returns false where it is out already
   * @throws AgentError QUARANTINE_UNABLE
   */
  async take(file: FileToTake, by: string | null = null): Promise<boolean> {
    if (!(await this.isAble(file.nodeId))) throw new AgentError('QUARANTINE_UNABLE');
    const fileKey = createHash('sha256')
      .update(JSON.stringify([file.nodeId, file.path]))
      .digest('hex')
      .slice(0, 32);
    const entryId = randomBytes(16).toString('hex');
    try {
      await this.database.transaction(async () => {
        const taskId = await this.send(file.nodeId, 'quarantine_file', { id: entryId, path: file.path });
        const row = { ...file, fileKey, entryId, taskId, state: 'moving' as const, createdAt: this.clock.now() };
        await this.database.repository(QuarantinedFile).insert(row);
        if (by === null) await this.write('node.audit_quarantine_auto', { path: file.path, word: file.keyword });
      });
      return true;
    } catch (error) {
      if (isUniqueViolation(error)) return false;
      throw error;
    }
  }

  /** Has a file put back. @throws AgentError QUARANTINE_MISSING, QUARANTINE_STATE, QUARANTINE_UNABLE */
  restore(id: number): Promise<QuarantinedFile> {
    return this.begin(id, 'restoring', 'restore_file');
  }

  /** Has a file deleted for good. @throws AgentError as {@link restore} */
  remove(id: number): Promise<QuarantinedFile> {
    return this.begin(id, 'deleting', 'delete_quarantined');
  }

  /** Makes the row say how its task ended; inside the transaction that ends it, or by itself. Once, however often it is called. */
  async follow(taskId: string): Promise<void> {
    await this.database.transaction(async () => {
      const rows = this.database.repository(QuarantinedFile);
      const row = await rows.findOneBy({ taskId });
      const done = row && DONE[row.state];
      if (!done) return;
      const task = await this.database.repository(NodeTask).findOneBy({ taskId });
      if (task && task.status !== 'success' && task.status !== 'failed') return;
      // What an agent has is known by its hash: a file that was never told of stays failed, and may be with the agent all the same.
      const state = task?.status === 'success' ? done : row.sha256 === '' ? 'failed' : 'held';
      const told = state === 'held' && row.state === 'moving' ? contentOf(task?.result) : {};
      const isOver = state === 'restored' || state === 'deleted' || state === 'failed';
      const { affected } = await rows.update(
        { id: row.id, state: row.state, taskId },
        {
          ...told,
          state,
          error: task?.status === 'success' ? '' : (task?.error ?? '').slice(0, ERROR_LENGTH),
          purgeAt: state === 'held' ? this.purgeAt(row) : null,
          ...(isOver ? { fileKey: null } : {}),
        },
      );
      if (affected && state === 'held' && row.state === 'moving') await this.tellOwner(row);
    });
  }

  /** Follows tasks whose agents did not report, and deletes what was held long enough. @returns how many files were dealt with */
  @Job({ name: JOB, everyMinutes: 5 })
  async sweep(): Promise<number> {
    const ended = await this.underWay.all();
    for (const { taskId } of ended) await this.follow(taskId);
    // By a clock that is wrong no file is deleted before somebody could see it.
    const witnessed = await this.runs.witnessed(`core:${JOB}`, this.clock.now());
    const due = witnessed ? await this.due.all(witnessed) : [];
    let removed = 0;
    for (const { id } of due) {
      try {
        const { path, keyword } = await this.remove(id);
        await this.write('node.audit_quarantine_over', { path, word: keyword });
        removed += 1;
      } catch (error) {
        // An agent that cannot at the moment is asked again tomorrow.
        await this.database
          .repository(QuarantinedFile)
          .update({ id, state: 'held' }, { purgeAt: new Date(this.clock.now().getTime() + DAY_MS) });
        log.warn({ err: error, quarantined: id }, 'a file in quarantine could not be deleted yet');
      }
    }
    return ended.length + removed;
  }

  private async begin(id: number, state: 'restoring' | 'deleting', action: TaskAction): Promise<QuarantinedFile> {
    const rows = this.database.repository(QuarantinedFile);
    const row = await rows.findOneBy({ id });
    if (!row) throw new AgentError('QUARANTINE_MISSING');
    if (!(await this.isAble(row.nodeId))) throw new AgentError('QUARANTINE_UNABLE');
    await this.database.transaction(async () => {
      const taskId = await this.send(row.nodeId, action, { id: row.entryId, path: row.path, sha256: row.sha256 });
      const { affected } = await rows.update({ id, state: In(['held', 'failed']) }, { state, taskId, error: '' });
      if (!affected) throw new AgentError('QUARANTINE_STATE');
    });
    return row;
  }

  private async send(nodeId: string, action: TaskAction, payload: QuarantinePayload): Promise<string> {
    const [taskId] = await this.tasks.add([nodeId], action, payload);
    return taskId!;
  }

  /** When a file that is held is deleted; one that could not be is tried again tomorrow. */
  private purgeAt({ state, purgeAt }: QuarantinedFile): Date {
    if (purgeAt && state !== 'deleting') return purgeAt;
    return new Date(this.clock.now().getTime() + (purgeAt ? 1 : this.settings.current.quarantineDays) * DAY_MS);
  }

  private async tellOwner({ id, hostId, path, keyword }: QuarantinedFile): Promise<void> {
    const host = hostId === null ? null : await this.hosting.get(hostId);
    if (!host) return;
    await this.notices.tell({
      to: { account: host.user },
      kind: 'scan',
      level: 'danger',
      key: `quarantine:${id}`,
      title: { key: 'node.notice_quarantined' },
      text: {
        key: 'node.notice_quarantined_text',
        params: { ...shownMatch(keyword, path), days: this.settings.current.quarantineDays },
      },
    });
  }

  private async write(key: string, params: Record<string, string>): Promise<void> {
    await this.audit.write({ actor: 'cron', category: 'wjgl', summary: translate(AUDIT_LOCALE, key, params), text: { key, params } });
  }
}

function contentOf(result: unknown): { sha256?: string; size?: number } {
  const { sha256, size } = (result ?? {}) as { sha256?: unknown; size?: unknown };
  const isHash = typeof sha256 === 'string' && /^[0-9a-f]{64}$/.test(sha256);
  return { ...(isHash ? { sha256 } : {}), ...(Number.isSafeInteger(size) && (size as number) >= 0 ? { size: size as number } : {}) };
}
