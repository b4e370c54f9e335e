import { Injectable } from '@nestjs/common';

import { DAY_MS, Clock } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { HostingService } from '../../hosting/index.js';
import { Notices, registerNotice } from '../../notify/index.js';
import { SiteSettings } from '../../site/index.js';
import { NodeTask, QuarantinedFile, type QuarantineState } from '../entities/index.js';

import { shownMatch } from './shown-match.js';

const ERROR_LENGTH = 500;

registerNotice({
  kind: 'scan',
  title: { key: 'node.notice_quarantined' },
  texts: [{ key: 'node.notice_quarantined_text', params: { word: 'casino', file: 'index.html', days: 30 } }],
});

/** Next state of a file after a successful task. */
const DONE: Partial<Record<QuarantineState, QuarantineState>> = { moving: 'held', restoring: 'restored', deleting: 'deleted' };

/** Handles the end of quarantine tasks: updates the file's state and notifies the owner. */
@Injectable()
export class QuarantineEnds {
  constructor(
    private readonly database: Database,
    private readonly hosting: HostingService,
    private readonly notices: Notices,
    private readonly settings: SiteSettings,
    private readonly clock: Clock,
  ) {}

  /** Updates the row after its task has ended, inside the caller's transaction or its own. Idempotent. */
  async applyTaskEnd(taskId: string): Promise<void> {
    await this.database.transaction(async () => {
      const rows = this.database.repository(QuarantinedFile);
      const row = await rows.findOneBy({ taskId });
      const done = row && DONE[row.state];
      if (!done) return;
      const task = await this.database.repository(NodeTask).findOneBy({ taskId });
      if (task && task.status !== 'success' && task.status !== 'failed') return;
      // A stored hash proves that the agent has the file. Without one the state is `failed`, although the agent may have it.
      const state = task?.status === 'success' ? done : row.sha256 === '' ? 'failed' : 'held';
      const content = state === 'held' && row.state === 'moving' ? contentOf(task?.result) : {};
      const isOver = state === 'restored' || state === 'deleted' || state === 'failed';
      const { affected } = await rows.update(
        { id: row.id, state: row.state, taskId },
        {
          ...content,
          state,
          error: task?.status === 'success' ? '' : (task?.error ?? '').slice(0, ERROR_LENGTH),
          purgeAt: state === 'held' ? this.purgeAt(row) : null,
          ...(isOver ? { fileKey: null } : {}),
        },
      );
      if (affected && state === 'held' && row.state === 'moving') await this.notifyOwner(row);
    });
  }

  /** Returns when a held file is deleted; a failed deletion is retried the next day. */
  private purgeAt({ state, purgeAt }: QuarantinedFile): Date {
    if (purgeAt && state !== 'deleting') return purgeAt;
    return new Date(this.clock.now().getTime() + (purgeAt ? 1 : this.settings.current.quarantineDays) * DAY_MS);
  }

  private async notifyOwner({ id, hostId, path, keyword }: QuarantinedFile): Promise<void> {
    const host = hostId === null ? null : await this.hosting.get(hostId);
    if (!host) return;
    await this.notices.send({
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
}

function contentOf(result: unknown): { sha256?: string; size?: number } {
  const { sha256, size } = (result ?? {}) as { sha256?: unknown; size?: unknown };
  const isHash = typeof sha256 === 'string' && /^[0-9a-f]{64}$/.test(sha256);
  return { ...(isHash ? { sha256 } : {}), ...(Number.isSafeInteger(size) && (size as number) >= 0 ? { size: size as number } : {}) };
}
