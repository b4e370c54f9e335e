import { setTimeout as pause } from 'node:timers/promises';

import { Injectable } from '@nestjs/common';

import { Clock } from '../../common/index.js';
import { Database } from '../../database/index.js';

/** Bytes per piece, whose base64 fits into a text column of MySQL. */
const PIECE = 48_000;
/** Maximum number of pending pieces, which bounds memory and table size. */
const WINDOW = 16;
/** Polling interval for the next piece or a free slot, in milliseconds. */
const POLL_MS = 20;
/** Content of the piece that marks a broken transfer. */
const BROKEN = '!';
/** Prefix of the first piece, which contains the length. */
const LENGTH = '=';
const BATCH = 500;
/** Sequence number of the caller's heartbeat row; its content counts up. */
const CALLER = -1;
/** How often the caller updates its heartbeat, in milliseconds. */
const BEAT_MS = 1_000;
/** After how long without a heartbeat the caller counts as gone, in milliseconds. */
const GONE_MS = 5_000;
/** The same limits for cleanup, where there is no hurry and a stalled caller must still find its body; in milliseconds. */
const LONG_GONE = { look: 5_000, gone: 30_000 };
/** Number of empty polls after which the existence of the body is checked. */
const MAX_EMPTY_POLLS = 250;

/** Relays bodies between two processes through database rows: a few pieces at a time, written by one process and removed by the other. */
@Injectable()
export class BodyRows {
  private readonly insert;
  private readonly read;
  private readonly remove;
  private readonly removeAll;
  private readonly count;
  private readonly removeOld;
  private readonly beat;
  private readonly lastBeat;

  constructor(
    database: Database,
    private readonly clock: Clock,
  ) {
    this.insert = database.statement(
      'INSERT INTO {NodeBody} ({NodeBody.taskId}, {NodeBody.seq}, {NodeBody.content}, {NodeBody.createdAt}) VALUES (?, ?, ?, ?)',
    );
    this.read = database.statement<{ seq: number; content: string }>(
      `SELECT {NodeBody.seq} AS seq, {NodeBody.content} AS content FROM {NodeBody} WHERE {NodeBody.taskId} = ? AND {NodeBody.seq} >= ?
        ORDER BY {NodeBody.seq} LIMIT ${WINDOW}`,
    );
    this.remove = database.statement('DELETE FROM {NodeBody} WHERE {NodeBody.taskId} = ? AND {NodeBody.seq} BETWEEN 0 AND ?');
    this.removeAll = database.statement('DELETE FROM {NodeBody} WHERE {NodeBody.taskId} = ?');
    this.count = database.statement<{ total: number }>(
      'SELECT COUNT(*) AS total FROM {NodeBody} WHERE {NodeBody.taskId} = ? AND {NodeBody.seq} >= 0',
    );
    this.removeOld = database.statement(`DELETE FROM {NodeBody} WHERE {NodeBody.createdAt} < ? LIMIT ${BATCH}`);
    this.beat = database.statement(
      `UPDATE {NodeBody} SET {NodeBody.content} = ? WHERE {NodeBody.taskId} = ? AND {NodeBody.seq} = ${CALLER}`,
    );
    this.lastBeat = database.statement<{ content: string }>(
      `SELECT {NodeBody.content} AS content FROM {NodeBody} WHERE {NodeBody.taskId} = ? AND {NodeBody.seq} = ${CALLER}`,
    );
  }

  /** Updates the caller's heartbeat until `signal` aborts. @throws Error when it aborts */
  async keepAlive(taskId: string, signal: AbortSignal): Promise<never> {
    await this.insert.run(taskId, CALLER, '0', this.clock.now());
    for (let beats = 1; ; beats += 1) {
      await pause(BEAT_MS, undefined, { signal });
      await this.beat.run(String(beats), taskId);
    }
  }

  /** Waits until the caller of a body is gone, possibly killed before it could say so. @throws Error when `signal` aborts */
  async callerGone(taskId: string, signal?: AbortSignal, { look, gone } = { look: BEAT_MS, gone: GONE_MS }): Promise<void> {
    let [seen, seenAt] = ['', performance.now()];
    while (performance.now() - seenAt < gone) {
      await pause(look, undefined, { ref: false, ...(signal ? { signal } : {}) });
      const { content = '' } = (await this.lastBeat.get(taskId)) ?? {};
      if (content !== seen) [seen, seenAt] = [content, performance.now()];
    }
  }

  /**
   * Writes a body as fast as it is read.
   *
   * @param bytes its length; null if unknown
   * @throws what the source throws, or when `signal` aborts
   */
  async write(taskId: string, bytes: number | null, source: AsyncIterable<Buffer>, signal: AbortSignal): Promise<void> {
    let seq = 0;
    const add = async (content: string): Promise<void> => {
      while (Number((await this.count.get(taskId))!.total) >= WINDOW) await pause(POLL_MS, undefined, { signal });
      await this.insert.run(taskId, seq, content, this.clock.now());
      seq += 1;
    };
    try {
      await add(`${LENGTH}${bytes ?? ''}`);
      for await (const chunk of source) {
        for (let start = 0; start < chunk.length; start += PIECE)
          await add(Buffer.from(chunk.subarray(start, start + PIECE)).toString('base64'));
      }
      await add('');
    } catch (error) {
      await this.insert.run(taskId, seq, BROKEN, this.clock.now());
      throw error;
    }
  }

  /** Waits for and reads a body written by {@link write}. @throws Error when `signal` aborts */
  async open(taskId: string, signal: AbortSignal): Promise<{ bytes: number | null; content: AsyncIterable<Buffer> }> {
    for (;;) {
      const [first] = await this.read.all(taskId, 0);
      if (first) {
        const length = first.content.slice(LENGTH.length);
        return { bytes: length === '' ? null : Number(length), content: this.pieces(taskId, signal) };
      }
      await pause(POLL_MS, undefined, { signal });
    }
  }

  /** @throws Error if the transfer broke off or the rows were removed, or when `signal` aborts */
  private async *pieces(taskId: string, signal: AbortSignal): AsyncGenerator<Buffer> {
    for (let [next, inVain] = [1, 0]; ; inVain += 1) {
      const rows = await this.read.all(taskId, next);
      for (const { seq, content } of rows) {
        if (content === '') return;
        if (content === BROKEN) throw new Error('The transfer of the body was interrupted.');
        yield Buffer.from(content, 'base64');
        next = seq + 1;
      }
      if (rows.length > 0) {
        inVain = 0;
        await this.remove.run(taskId, next - 1);
      } else await pause(POLL_MS, undefined, { signal });
      if (inVain >= MAX_EMPTY_POLLS) {
        if (!(await this.lastBeat.get(taskId))) throw new Error('The body was removed.');
        inVain = 0;
      }
      signal.throwIfAborted();
    }
  }

  /** Removes the remaining rows of a body. */
  async clear(taskId: string): Promise<void> {
    await this.removeAll.run(taskId);
  }

  /** Does so once the caller is gone: a live caller removes them itself, but one that was killed cannot. */
  async clearBehind(taskId: string): Promise<void> {
    await this.callerGone(taskId, undefined, LONG_GONE);
    await this.clear(taskId);
  }

  /** Removes rows left by a crash. */
  async removeBefore(moment: Date): Promise<void> {
    for (let affected = BATCH; affected === BATCH;) ({ affected } = await this.removeOld.run(moment));
  }
}
