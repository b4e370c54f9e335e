import type { IncomingMessage, ServerResponse } from 'node:http';
import { addAbortSignal, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { Injectable } from '@nestjs/common';

import { errorMessage, loggerFor } from '../../common/index.js';
import { NodeAuthenticator, type NodeIdentity, type NodeRequest } from '../access/index.js';
import { ActionTasks, BodyEnds, BodyRows } from '../actions/index.js';
import { NodeApiError } from '../node-api-error.js';
import { TaskQueue } from '../tasks/index.js';
import { actionOf, type BodyAct, isAction, type PutBodyData, TASK_ID } from '../wire/index.js';

const log = loggerFor('node-api');
const NUMBER = /^\d{1,15}$/;

/** A claimed transfer of a body: one per task and attempt. */
interface BodyTransfer {
  readonly taskId: string;
  readonly bytes: number | null;
  /** Maximum bytes. */
  readonly most: number;
}

/** Streams the bodies of actions between agents and callers with backpressure, with only a few pieces in memory. */
@Injectable()
export class NodeBodies {
  constructor(
    private readonly authenticator: NodeAuthenticator,
    private readonly queue: TaskQueue,
    private readonly tasks: ActionTasks,
    private readonly ends: BodyEnds,
    private readonly rows: BodyRows,
  ) {}

  /**
   * Receives a body from an agent, at the speed of its reader.
   *
   * @throws NodeApiError, RateLimited before anything was read; BODY_BROKEN if it was incomplete, BODY_LOST if the caller is gone
   */
  async take(req: IncomingMessage, res: ServerResponse, request: Omit<NodeRequest, 'rawBody'>): Promise<PutBodyData> {
    const { node } = await this.authenticator.authenticate({ ...request, rawBody: 'stream' }, false);
    const turn = await this.begin(node, request.url, 'put_body');
    const end = this.ends.find(turn.taskId);
    const stop = end?.receive ? null : this.relayEnd(turn.taskId, res);
    let received = 0;
    const counted = async function* (): AsyncGenerator<Buffer> {
      for await (const chunk of req as AsyncIterable<Buffer>) {
        received += chunk.length;
        if (received > turn.most || (turn.bytes !== null && received > turn.bytes)) throw new Error('more data than announced');
        yield chunk;
      }
      if (turn.bytes !== null && received !== turn.bytes) throw new Error('less data than announced');
    };
    try {
      const source = Readable.from(counted(), { objectMode: false, highWaterMark: 64 * 1024 });
      if (stop) await this.rows.write(turn.taskId, turn.bytes, addAbortSignal(stop, source), stop);
      else await pipeline(source, end!.receive!(turn.bytes));
      if (stop) this.clearBehind(turn.taskId);
      return { bytes: received };
    } catch (error) {
      log.warn({ node: node.nodeId, task: turn.taskId, reason: errorMessage(error) }, 'receiving a body from an agent failed');
      throw (await this.lost(turn.taskId, stop)) ?? new NodeApiError('BODY_BROKEN');
    }
  }

  /**
   * Sends a body to an agent.
   *
   * @throws NodeApiError, RateLimited before anything was sent, BODY_LOST if the caller is gone; later errors close the connection early
   */
  async give(res: ServerResponse, request: NodeRequest): Promise<void> {
    const { node } = await this.authenticator.authenticate(request, false);
    const turn = await this.begin(node, request.url, 'get_body');
    const send = this.ends.find(turn.taskId)?.send;
    const stop = send ? null : this.relayEnd(turn.taskId, res);
    try {
      const { bytes, content } = stop ? await this.rows.open(turn.taskId, stop) : { bytes: send!.bytes, content: send!.content() };
      res.writeHead(200, { 'Content-Type': 'application/octet-stream', ...(bytes === null ? {} : { 'Content-Length': bytes }) });
      res.flushHeaders();
      await pipeline(content instanceof Readable ? content : Readable.from(content), res);
      if (stop) this.clearBehind(turn.taskId);
    } catch (error) {
      log.warn({ node: node.nodeId, task: turn.taskId, reason: errorMessage(error) }, 'sending a body to an agent failed');
      const lost = await this.lost(turn.taskId, stop);
      if (lost && !res.headersSent) throw lost;
      res.destroy();
    }
  }

  /** Returns a signal that aborts when the agent disconnects or the calling process, a different one, is gone. */
  private relayEnd(taskId: string, connection: ServerResponse): AbortSignal {
    const stop = new AbortController();
    if (connection.destroyed) stop.abort();
    connection.once('close', () => stop.abort());
    this.rows.callerGone(taskId, stop.signal).then(
      () => stop.abort(new NodeApiError('BODY_LOST')),
      (error: unknown) => stop.abort(error),
    );
    return stop.signal;
  }

  /** Returns the error of a transfer whose caller is gone, after removing its rows; null if something else ended it. */
  private async lost(taskId: string, stop: AbortSignal | null): Promise<NodeApiError | null> {
    if (!(stop?.reason instanceof NodeApiError)) return null;
    await this.rows.clear(taskId);
    return stop.reason;
  }

  /** Cleans up in the background, because the caller of a completely relayed body may be dead and never read it. */
  private clearBehind(taskId: string): void {
    this.rows
      .clearBehind(taskId)
      .catch((error: unknown) =>
        log.warn({ task: taskId, reason: errorMessage(error) }, 'the remaining rows of a body could not be removed'),
      );
  }

  private async begin({ nodeId }: NodeIdentity, url: string, act: BodyAct): Promise<BodyTransfer> {
    const query = new URLSearchParams(url.slice(url.indexOf('?') + 1));
    const [taskId, attempt, bytes] = ['task_id', 'attempt', 'bytes'].map((name) => query.get(name) ?? '') as [string, string, string];
    if (!TASK_ID.test(taskId)) throw new NodeApiError('TASK_UNKNOWN');
    const task = await this.queue.state(nodeId, taskId);
    if (!task) throw new NodeApiError('TASK_UNKNOWN');
    const body = isAction(task.action) ? actionOf(task.action).body : null;
    if (!body || (body.to === 'panel') !== (act === 'put_body') || !NUMBER.test(attempt) || (bytes !== '' && !NUMBER.test(bytes)))
      throw new NodeApiError('BODY_UNWANTED');
    if (Number(bytes) > body.most) throw new NodeApiError('BODY_UNWANTED');
    const isHere = this.ends.find(taskId) !== undefined;
    if (!(await this.tasks.claimBody(taskId, nodeId, Number(attempt), isHere ? 'taken' : 'relayed')))
      throw new NodeApiError('BODY_UNWANTED');
    return { taskId, bytes: bytes === '' ? null : Number(bytes), most: body.most };
  }
}
