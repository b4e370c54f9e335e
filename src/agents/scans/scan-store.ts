import { setImmediate as nextTurn } from 'node:timers/promises';

import { Injectable } from '@nestjs/common';

import { Clock } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { BackgroundQueue } from '../../jobs/index.js';

import { CONSEQUENCES_TASK, type ScanToFollow } from './scan-consequences-task.js';
import { ScanDays } from './scan-days.js';
import type { KnownMatch, KnownScan } from './scan-intake.js';

/** Matches per INSERT: 70 × 10 parameters. */
const INSERT_ROWS = 70;
/** Matches per lookup query. */
const LOOKUP_BATCH = 500;
/** Rows per DELETE, so that other writers do not wait long. */
const BATCH = 1_000;

/** Number of removed rows. */
export interface RemovedScans {
  readonly scans: number;
  readonly matches: number;
}

/** Stores scans and their matches. */
@Injectable()
export class ScanStore {
  private readonly insertNew;
  private readonly seeAgain;
  private readonly removeOfTask;
  private readonly oldScans;
  private readonly scansOfNode;
  private readonly scanned;
  private readonly emptyScans;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly days: ScanDays,
    private readonly queue: BackgroundQueue,
  ) {
    this.insertNew = database.statement(
      `${database.insertIgnore} {ForbiddenScan} ({ForbiddenScan.nodeId}, {ForbiddenScan.taskId}, {ForbiddenScan.status},
        {ForbiddenScan.site},
        {ForbiddenScan.scannedFiles}, {ForbiddenScan.scannedRows}, {ForbiddenScan.matchCount}, {ForbiddenScan.summary},
        {ForbiddenScan.contentKey}, {ForbiddenScan.createdAt})
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    // Excludes a repeated report whose response was lost.
    this.seeAgain = database.statement(
      `UPDATE {ForbiddenScan} SET {ForbiddenScan.seenAt} = ? WHERE {ForbiddenScan.nodeId} = ? AND {ForbiddenScan.contentKey} = ?
        AND {ForbiddenScan.taskId} <> ?`,
    );
    this.removeOfTask = database.statement('DELETE FROM {ForbiddenScan} WHERE {ForbiddenScan.taskId} = ? AND {ForbiddenScan.nodeId} = ?');
    this.oldScans = database.statement<{ id: number }>(
      `SELECT {ForbiddenScan.id} AS id FROM {ForbiddenScan} WHERE {ForbiddenScan.createdAt} < ?
        AND ({ForbiddenScan.seenAt} IS NULL OR {ForbiddenScan.seenAt} < ?)
       ORDER BY {ForbiddenScan.createdAt}, {ForbiddenScan.id} LIMIT 100`,
    );
    this.scanned = database.statement('UPDATE {AgentNode} SET {AgentNode.lastScanAt} = ? WHERE {AgentNode.nodeId} = ?');
    this.emptyScans = database.statement<{ id: number }>(
      `SELECT {ForbiddenScan.id} AS id FROM {ForbiddenScan} WHERE {ForbiddenScan.createdAt} < ? AND {ForbiddenScan.matchCount} = 0
        AND {ForbiddenScan.status} = 'success'
       AND {ForbiddenScan.taskId} LIKE 'scan!_%' ESCAPE '!' ORDER BY {ForbiddenScan.createdAt}, {ForbiddenScan.id} LIMIT ${BATCH}`,
    );
    this.scansOfNode = database.statement<{ id: number }>(
      `SELECT {ForbiddenScan.id} AS id FROM {ForbiddenScan} WHERE {ForbiddenScan.nodeId} = ? ORDER BY {ForbiddenScan.id} LIMIT 100`,
    );
  }

  /** Stores when a node last reported a scan. */
  async noteScanned(nodeId: string): Promise<void> {
    await this.scanned.run(this.clock.now(), nodeId);
  }

  /** Replaces earlier results of the task; called in the transaction that ends the task. */
  async replace(nodeId: string, taskId: string, scan: KnownScan): Promise<void> {
    await this.removeOfTask.run(taskId, nodeId);
    await this.insert(nodeId, taskId, scan, null);
  }

  /** Stores a scan unless the node has already reported this id or an identical result. @returns whether it was new */
  add(nodeId: string, taskId: string, scan: KnownScan): Promise<boolean> {
    return this.database.transaction(async () => {
      if (await this.insert(nodeId, taskId, scan, scan.contentKey)) return true;
      await this.seeAgain.run(this.clock.now(), nodeId, scan.contentKey, taskId);
      return false;
    });
  }

  /** Removes scans last reported before a time, with their matches. */
  removeBefore(moment: Date): Promise<RemovedScans> {
    return this.remove(() => this.oldScans.all(moment, moment));
  }

  /** Removes agent-started scans without matches before a time; only older versions stored them. */
  removeEmptyBefore(moment: Date): Promise<RemovedScans> {
    return this.remove(() => this.emptyScans.all(moment));
  }

  /** Removes everything of a node. */
  removeOfNode(nodeId: string): Promise<RemovedScans> {
    return this.remove(() => this.scansOfNode.all(nodeId));
  }

  private async insert(nodeId: string, taskId: string, scan: KnownScan, contentKey: string | null): Promise<boolean> {
    const known = await this.knownOf(scan.matches);
    const { affected, insertId } = await this.insertNew.run(
      nodeId,
      taskId,
      scan.status,
      scan.site,
      scan.scannedFiles,
      scan.scannedRows,
      scan.matchCount,
      JSON.stringify(scan.summary),
      contentKey,
      this.clock.now(),
    );
    if (affected === 0) return false;
    for (let start = 0; start < scan.matches.length; start += INSERT_ROWS) {
      await this.insertMatches(insertId, scan.matches.slice(start, start + INSERT_ROWS), known);
    }
    await this.days.count(scan.matches);
    if (scan.matches.some(({ matchKey }) => !known.has(matchKey)))
      await this.queue.add(CONSEQUENCES_TASK, { scanId: insertId } satisfies ScanToFollow, { key: `scan:${insertId}` });
    return true;
  }

  private async insertMatches(scanId: number, matches: readonly KnownMatch[], known: ReadonlySet<string>): Promise<void> {
    const places = matches.map(() => '(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)').join(', ');
    await this.database
      .statement(
        `INSERT INTO {ForbiddenMatch} ({ForbiddenMatch.scanId}, {ForbiddenMatch.type}, {ForbiddenMatch.file}, {ForbiddenMatch.line},
          {ForbiddenMatch.keyword}, {ForbiddenMatch.excerpt},
         {ForbiddenMatch.hostId}, {ForbiddenMatch.fileKey}, {ForbiddenMatch.matchKey}, {ForbiddenMatch.pending}) VALUES ${places}`,
      )
      .run(
        ...matches.flatMap(({ type, target, line, keyword, excerpt, hostId, fileKey, matchKey }) => {
          return [scanId, type, target, line, keyword, excerpt, hostId, fileKey, matchKey, !known.has(matchKey)];
        }),
      );
  }

  /** Returns which of the matches an earlier scan has already reported. */
  private async knownOf(matches: readonly KnownMatch[]): Promise<ReadonlySet<string>> {
    const keys = [...new Set(matches.map(({ matchKey }) => matchKey))];
    const known = new Set<string>();
    for (let start = 0; start < keys.length; start += LOOKUP_BATCH) {
      const part = keys.slice(start, start + LOOKUP_BATCH);
      const places = part.map(() => '?').join(', ');
      const found = this.database.statement<{ key: string }>(
        `SELECT DISTINCT {ForbiddenMatch.matchKey} AS \`key\` FROM {ForbiddenMatch} WHERE {ForbiddenMatch.matchKey} IN (${places})`,
      );
      for (const { key } of await found.all(...part)) known.add(key);
    }
    return known;
  }

  private async remove(nextIds: () => Promise<{ id: number }[]>): Promise<RemovedScans> {
    let [scans, matches] = [0, 0];
    for (;;) {
      const ids = (await nextIds()).map((row) => row.id);
      if (ids.length === 0) return { scans, matches };
      const places = ids.map(() => '?').join(', ');
      const removeMatches = this.database.statement(
        `DELETE FROM {ForbiddenMatch} WHERE {ForbiddenMatch.scanId} IN (${places}) LIMIT ${BATCH}`,
      );
      for (let affected = BATCH; affected === BATCH; await nextTurn()) {
        ({ affected } = await removeMatches.run(...ids));
        matches += affected;
      }
      scans += (await this.database.statement(`DELETE FROM {ForbiddenScan} WHERE {ForbiddenScan.id} IN (${places})`).run(...ids)).affected;
    }
  }
}
