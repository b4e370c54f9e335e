import { createHash, randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';

import { Clock, translate } from '../../common/index.js';
import { Database, isUniqueViolation } from '../../database/index.js';
import { AUDIT_LOCALE, AuditLog } from '../../operations/index.js';
import { AgentError } from '../agent-error.js';
import { AgentNode, QuarantinedFile } from '../entities/index.js';
import { TaskQueue } from '../tasks/index.js';
import { QUARANTINE_CAPABILITY, type QuarantinePayload, type TaskAction } from '../wire/index.js';

/** A file to quarantine. */
export interface FileToTake {
  readonly nodeId: string;
  readonly path: string;
  readonly keyword: string;
  readonly hostId: number | null;
}

/**
 * Quarantines, restores and deletes files through agents. The row stores the request, the agent's task executes it, and the row is updated
 * when the task ends: see quarantine-ends.ts. Only agents with the capability are used. Source: docs/panel-api.md "Quarantine".
 */
@Injectable()
export class FileQuarantine {
  constructor(
    private readonly database: Database,
    private readonly tasks: TaskQueue,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /** Whether the agent is enabled and has the capability. */
  async isAble(nodeId: string): Promise<boolean> {
    const node = await this.database.repository(AgentNode).findOneBy({ nodeId });
    return node !== null && node.enabled && node.capabilities.includes(QUARANTINE_CAPABILITY);
  }

  /**
   * Requests quarantine of a file; idempotent while the file is quarantined.
   *
   * @returns false if it already is
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
        if (by === null) await this.write('node.audit_quarantine_auto', file);
      });
      return true;
    } catch (error) {
      if (isUniqueViolation(error)) return false;
      throw error;
    }
  }

  /** Requests the restore of a file. @throws AgentError QUARANTINE_MISSING, QUARANTINE_STATE, QUARANTINE_UNABLE */
  restore(id: number): Promise<QuarantinedFile> {
    return this.begin(id, 'restoring', 'restore_file');
  }

  /** Requests the permanent deletion of a file. @throws AgentError as {@link restore} */
  remove(id: number): Promise<QuarantinedFile> {
    return this.begin(id, 'deleting', 'delete_quarantined');
  }

  /** Requests the deletion of a file whose retention time is over. @throws AgentError as {@link restore} */
  async removeOverdue(id: number): Promise<void> {
    await this.write('node.audit_quarantine_over', await this.remove(id));
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

  /** Writes an automatic action to the operation log. */
  private async write(key: string, { path, keyword }: Pick<FileToTake, 'path' | 'keyword'>): Promise<void> {
    const params = { path, word: keyword };
    await this.audit.write({ actor: 'cron', category: 'wjgl', summary: translate(AUDIT_LOCALE, key, params), text: { key, params } });
  }
}
