import { setImmediate as nextTurn } from 'node:timers/promises';

import { Injectable } from '@nestjs/common';

import { Clock } from '../../common/index.js';
import { Database } from '../../database/index.js';

import type { KeptMatch, KeptScan } from './scan-report.js';

/** Matches of one insert: 70 × 6 parameters. */
const INSERT_ROWS = 70;
/** Scans, matches or tasks removed by one statement: no writer waits long for it. */
const BATCH = 1_000;

/** What was removed. */
export interface RemovedScans {
  readonly scans: number;
  readonly matches: number;
}

/** Scans and what they found. */
@Injectable()
export class ScanStore {
  private readonly insertNew;
  private readonly removeOfTask;
  private readonly oldScans;
  private readonly scansOfNode;
  private readonly scanned;
  private readonly emptyScans;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    this.insertNew = database.statement(
      `${database.insertIgnore} {ForbiddenScan} ({ForbiddenScan.nodeId}, {ForbiddenScan.taskId}, {ForbiddenScan.status}, {ForbiddenScan.site},
        {ForbiddenScan.scannedFiles}, {ForbiddenScan.scannedRows}, {ForbiddenScan.matchCount}, {ForbiddenScan.summary}, {ForbiddenScan.createdAt})
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.removeOfTask = database.statement('DELETE FROM {ForbiddenScan} WHERE {ForbiddenScan.taskId} = ? AND {ForbiddenScan.nodeId} = ?');
    this.oldScans = database.statement<{ id: number }>(
      `SELECT {ForbiddenScan.id} AS id FROM {ForbiddenScan} WHERE {ForbiddenScan.createdAt} < ? ORDER BY {ForbiddenScan.createdAt}, {ForbiddenScan.id} LIMIT 100`,
    );
    this.scanned = database.statement('UPDATE {AgentNode} SET {AgentNode.lastScanAt} = ? WHERE {AgentNode.nodeId} = ?');
    this.emptyScans = database.statement<{ id: number }>(
      `SELECT {ForbiddenScan.id} AS id FROM {ForbiddenScan} WHERE {ForbiddenScan.createdAt} < ? AND {ForbiddenScan.matchCount} = 0 AND {ForbiddenScan.status} = 'success'
       AND {ForbiddenScan.taskId} LIKE 'scan!_%' ESCAPE '!' ORDER BY {ForbiddenScan.createdAt}, {ForbiddenScan.id} LIMIT ${BATCH}`,
    );
    this.scansOfNode = database.statement<{ id: number }>(
      `SELECT {ForbiddenScan.id} AS id FROM {ForbiddenScan} WHERE {ForbiddenScan.nodeId} = ? ORDER BY {ForbiddenScan.id} LIMIT 100`,
    );
  }

  /** Keeps when a node reported a scan last. */
  async noteScanned(nodeId: string): Promise<void> {
    await this.scanned.run(this.clock.now(), nodeId);
  }

  /** Puts a scan in the place of what the task had reported before; inside the transaction that ends the task. */
  async replace(nodeId: string, taskId: string, scan: KeptScan): Promise<void> {
    await this.removeOfTask.run(taskId, nodeId);
    await this.insert(nodeId, taskId, scan);
  }

  /** Keeps a scan unless the node has reported under this id before. @returns whether it was new */
  add(nodeId: string, taskId: string, scan: KeptScan): Promise<boolean> {
    return this.database.transaction(() => this.insert(nodeId, taskId, scan));
  }

  /** Removes what was reported before a moment, with all matches. */
  removeBefore(moment: Date): Promise<RemovedScans> {
    return this.remove(() => this.oldScans.all(moment));
  }

  /** Removes what agents began by themselves before a moment and found nothing: rows older versions wrote each cycle. */
  removeEmptyBefore(moment: Date): Promise<RemovedScans> {
    return this.remove(() => this.emptyScans.all(moment));
  }

  /** Removes everything of a node. */
  removeOfNode(nodeId: string): Promise<RemovedScans> {
    return this.remove(() => this.scansOfNode.all(nodeId));
  }

  private async insert(nodeId: string, taskId: string, scan: KeptScan): Promise<boolean> {
    const { affected, insertId } = await this.insertNew.run(
      nodeId,
      taskId,
      scan.status,
      scan.site,
      scan.scannedFiles,
      scan.scannedRows,
      scan.matchCount,
      JSON.stringify(scan.summary),
      this.clock.now(),
    );
    if (affected === 0) return false;
    for (let start = 0; start < scan.matches.length; start += INSERT_ROWS) {
      await this.insertMatches(insertId, scan.matches.slice(start, start + INSERT_ROWS));
    }
    return true;
  }

  private async insertMatches(scanId: number, matches: readonly KeptMatch[]): Promise<void> {
    const places = matches.map(() => '(?, ?, ?, ?, ?, ?)').join(', ');
    await this.database
      .statement(
        `INSERT INTO {ForbiddenMatch} ({ForbiddenMatch.scanId}, {ForbiddenMatch.type}, {ForbiddenMatch.file}, {ForbiddenMatch.line}, {ForbiddenMatch.keyword}, {ForbiddenMatch.excerpt}) VALUES ${places}`,
      )
      .run(...matches.flatMap(({ type, target, line, keyword, excerpt }) => [scanId, type, target, line, keyword, excerpt]));
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
