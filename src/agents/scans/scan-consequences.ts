import { Injectable } from '@nestjs/common';

import { loggerFor } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { HostingService, PAUSE_REASON } from '../../hosting/index.js';
import { BackgroundTask, type TaskTurn } from '../../jobs/index.js';
import { Notices, registerNotice } from '../../notify/index.js';
import type { HostRecord } from '../../sdk/index.js';
import { SiteSettings } from '../../site/index.js';

import { FileQuarantine } from './file-quarantine.js';
import { CONSEQUENCES_TASK, type ScanToFollow } from './scan-consequences-task.js';
import { shownMatch } from './shown-match.js';

const log = loggerFor('scans');
/** Maximum number of files of one host quarantined after one scan. */
const MAX_FILES = 20;

/** Fields of a scan the consequences need. */
interface FollowedScan {
  readonly agent: string | null;
  readonly nodeId: string;
}

/** A host with new matches, and its total number of matches. */
interface FoundHost {
  readonly hostId: number;
  readonly matches: number;
}

const EXAMPLE = { n: 3, word: 'casino', file: 'index.html' };
registerNotice({
  kind: 'scan',
  title: { key: 'node.notice_title', params: { agent: 'node-1' } },
  texts: [
    { key: 'node.notice_text', params: { n: 3, hosts: 2, paused: 0 } },
    { key: 'node.notice_text_paused', params: { n: 3, hosts: 2, paused: 1 } },
    { key: 'node.notice_quarantine_many', params: { user: 'alice01', n: MAX_FILES } },
  ],
});
for (const host of ['node.notice_host', 'node.notice_host_paused'])
  registerNotice({ kind: 'scan', title: { key: host }, texts: [{ key: `${host}_text`, params: EXAMPLE }] });

/**
 * Processes new matches of a scan as configured: notifies administrators and owners, suspends hosts with too many matches, quarantines
 * files. Matches known from earlier scans have no further consequences, so that a host an administrator has reactivated is not suspended
 * again by the next scan.
 */
@Injectable()
export class ScanConsequences {
  private readonly scan;
  private readonly found;
  private readonly hosts;
  private readonly example;
  private readonly done;
  private readonly files;

  constructor(
    private readonly database: Database,
    private readonly hosting: HostingService,
    private readonly notices: Notices,
    private readonly settings: SiteSettings,
    private readonly quarantine: FileQuarantine,
  ) {
    this.scan = database.statement<FollowedScan>(
      `SELECT a.{AgentNode.name} AS agent, s.{ForbiddenScan.nodeId} AS nodeId FROM {ForbiddenScan} s
       LEFT JOIN {AgentNode} a ON a.{AgentNode.nodeId} = s.{ForbiddenScan.nodeId} WHERE s.{ForbiddenScan.id} = ?`,
    );
    this.found = database.statement<{ matches: number }>(
      'SELECT COUNT(*) AS matches FROM {ForbiddenMatch} WHERE {ForbiddenMatch.scanId} = ?',
    );
    this.hosts = database.statement<FoundHost>(
      `SELECT {ForbiddenMatch.hostId} AS hostId, COUNT(*) AS matches FROM {ForbiddenMatch}
       WHERE {ForbiddenMatch.scanId} = ? AND {ForbiddenMatch.hostId} IS NOT NULL
       GROUP BY {ForbiddenMatch.hostId} HAVING SUM({ForbiddenMatch.pending}) > 0 ORDER BY {ForbiddenMatch.hostId}`,
    );
    this.example = database.statement<{ file: string; keyword: string }>(
      `SELECT {ForbiddenMatch.file} AS file, {ForbiddenMatch.keyword} AS keyword FROM {ForbiddenMatch}
       WHERE {ForbiddenMatch.scanId} = ? AND {ForbiddenMatch.hostId} = ? AND {ForbiddenMatch.pending} = 1 ORDER BY {ForbiddenMatch.id}
       LIMIT 1`,
    );
    this.files = database.statement<{ path: string; keyword: string }>(
      `SELECT {ForbiddenMatch.file} AS path, MIN({ForbiddenMatch.keyword}) AS keyword FROM {ForbiddenMatch}
       WHERE {ForbiddenMatch.scanId} = ? AND {ForbiddenMatch.hostId} = ? AND {ForbiddenMatch.pending} = 1 AND {ForbiddenMatch.fileKey} <> ''
       GROUP BY {ForbiddenMatch.file} ORDER BY {ForbiddenMatch.file} LIMIT ${MAX_FILES + 1}`,
    );
    this.done = database.statement(
      'UPDATE {ForbiddenMatch} SET {ForbiddenMatch.pending} = 0 WHERE {ForbiddenMatch.scanId} = ? AND {ForbiddenMatch.hostId} = ?',
    );
  }

  /** Processes each host once, also after retries: its matches are marked when done. */
  @BackgroundTask({ name: CONSEQUENCES_TASK, attempts: 10, backoffSeconds: 30, timeoutMinutes: 30, forgetDone: true })
  async process(payload: unknown, turn: TaskTurn): Promise<void> {
    const { scanId } = payload as ScanToFollow;
    const scan = await this.scan.get(scanId);
    // The scan was deleted in the meantime, with its matches.
    if (!scan) return;
    const hosts = await this.hosts.all(scanId);
    const { matches } = (await this.found.get(scanId))!;
    await this.notifyAdministrators(scanId, scan.agent || scan.nodeId, Number(matches), hosts);
    let problem: unknown = null;
    for (const [index, host] of hosts.entries()) {
      turn.signal.throwIfAborted();
      turn.progress(index, hosts.length);
      try {
        await this.ofHost(scanId, scan, { hostId: host.hostId, matches: Number(host.matches) });
      } catch (error) {
        // An unreachable server must not block the other hosts.
        log.warn({ host: host.hostId, scan: scanId, err: error }, 'the consequences of a scan could not be processed');
        problem = error;
      }
    }
    if (problem !== null) throw problem as Error;
  }

  private async notifyAdministrators(scanId: number, agent: string, matches: number, hosts: readonly FoundHost[]): Promise<void> {
    if (!this.shouldNotify(matches)) return;
    const paused = hosts.filter((host) => this.shouldPause(Number(host.matches))).length;
    await this.notices.send({
      to: 'administrators',
      kind: 'scan',
      level: paused > 0 ? 'danger' : 'warning',
      key: `scan:${scanId}`,
      title: { key: 'node.notice_title', params: { agent } },
      text: { key: paused > 0 ? 'node.notice_text_paused' : 'node.notice_text', params: { n: matches, hosts: hosts.length, paused } },
      link: `/admin/scans?scan_id=${scanId}`,
    });
  }

  private async ofHost(scanId: number, scan: FollowedScan, { hostId, matches }: FoundHost): Promise<void> {
    const host = await this.hosting.get(hostId);
    const example = host ? await this.example.get(scanId, hostId) : undefined;
    const isPaused = this.shouldPause(matches);
    if (host && isPaused) await this.hosting.pause(hostId, PAUSE_REASON.scan, 'cron');
    if (host && this.settings.current.scanQuarantine) await this.takeFiles(scanId, scan, host);
    await this.database.transaction(async () => {
      if (host && example && this.shouldNotify(matches)) {
        const params = { n: matches, ...shownMatch(example.keyword, example.file) };
        await this.notices.send({
          to: { account: host.user },
          kind: 'scan',
          level: isPaused ? 'danger' : 'warning',
          key: `scan:${scanId}:${hostId}`,
          title: { key: isPaused ? 'node.notice_host_paused' : 'node.notice_host' },
          text: { key: isPaused ? 'node.notice_host_paused_text' : 'node.notice_host_text', params },
        });
      }
      await this.done.run(scanId, hostId);
    });
  }

  /** Quarantines every file with a new match, unless there are so many that the keyword is probably wrong. */
  private async takeFiles(scanId: number, { nodeId, agent }: FollowedScan, host: HostRecord): Promise<void> {
    if (!(await this.quarantine.isAble(nodeId))) return;
    const files = await this.files.all(scanId, host.id);
    if (files.length <= MAX_FILES) {
      for (const { path, keyword } of files) await this.quarantine.take({ nodeId, path, keyword, hostId: host.id });
      return;
    }
    await this.notices.send({
      to: 'administrators',
      kind: 'scan',
      level: 'danger',
      key: `quarantine-many:${scanId}:${host.id}`,
      title: { key: 'node.notice_title', params: { agent: agent || nodeId } },
      text: { key: 'node.notice_quarantine_many', params: { user: host.user, n: MAX_FILES } },
      link: `/admin/scans?scan_id=${scanId}`,
    });
  }

  private shouldNotify(matches: number): boolean {
    const { scanNoticeFrom: from } = this.settings.current;
    return from > 0 && matches >= from;
  }

  private shouldPause(matches: number): boolean {
    const { scanPauseFrom: from } = this.settings.current;
    return from > 0 && matches >= from;
  }
}
