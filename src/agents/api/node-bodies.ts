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

/** The turn of a body: of one task and one attempt, once. */
interface BodyTurn {
  readonly taskId: string;
  readonly bytes: number | null;
  /** Most bytes. */
  readonly most: number;
}

/**
 * Moves the bodies of actions between agents and those who call servers: as streams that go as fast as the slower end,
 * in memory a few pieces at most.
 */
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
   * Takes a body from an agent, to its end. Its speed is that of whoever reads it.
   *
   * @throws NodeApiError, RateLimited before anything of it was read; BODY_BROKEN where it did not come to its end, BODY_LOST where
   *   nobody waits for it any more
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
        if (received > turn.most || (turn.bytes !== null && received > turn.bytes)) throw new Error('more than was announced');
        yield chunk;
      }
      if (turn.bytes !== null && received !== turn.bytes) throw new Error('less than was announced');
    };
    try {
      const source = Readable.from(counted(), { objectMode: false, highWaterMark: 64 * 1024 });
      if (stop) await this.rows.write(turn.taskId, turn.bytes, addAbortSignal(stop, source), stop);
      else await pipeline(source, end!.receive!(turn.bytes));
      if (stop) this.clearBehind(turn.taskId);
      return { bytes: received };
    } catch (error) {
      log.warn({ node: node.nodeId, task: turn.taskId, reason: errorMessage(error) }, 'a body of an agent broke off');
      throw (await this.lost(turn.taskId, stop)) ?? new NodeApiError('BODY_BROKEN');
    }
  }

  /**
   * Gives a body to an agent.
   *
   * @throws NodeApiError, RateLimited before anything of it was sent, BODY_LOST where whoever has it is gone; afterwards the connection
   *   ends before the body does
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
      log.warn({ node: node.nodeId, task: turn.taskId, reason: errorMessage(error) }, 'a body for an agent broke off');
      const lost = await this.lost(turn.taskId, stop);
      if (lost && !res.headersSent) throw lost;
      res.destroy();
    }
  }

  /** Aborts when the agent's connection has gone, or the process that called for a body, which is another one than this. */
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

  /** What ended a body that nobody has, or waits for, any more; what is left of it goes. Null where something else ended it. */
  private async lost(taskId: string, stop: AbortSignal | null): Promise<NodeApiError | null> {
    if (!(stop?.reason instanceof NodeApiError)) return null;
    await this.rows.clear(taskId);
    return stop.reason;
  }

  /** A body that was passed on wholly may never be taken: who called for it may be dead. Nobody waits for this. */
  private clearBehind(taskId: string): void {
    this.rows
      .clearBehind(taskId)
      .catch((error: unknown) => log.warn({ task: taskId, reason: errorMessage(error) }, 'what is left of a body stays for a while'));
  }

  private async begin({ nodeId }: NodeIdentity, url: string, act: BodyAct): Promise<BodyTurn> {
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
