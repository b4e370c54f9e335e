import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { Injectable } from '@nestjs/common';

import { loggerFor } from '../../common/index.js';
import type { DriverResult } from '../../hosting/index.js';
import { Quiet } from '../../jobs/index.js';
import { TaskSignals, type WatchedTask } from '../tasks/index.js';
import { type ActionArgs, type ActionName, actionOf, type ActionResult, type SiteRef } from '../wire/index.js';

import { readEnd } from './action-answer.js';
import { ActionTasks } from './action-tasks.js';
import { BodyEnds, type SentBody } from './body-ends.js';
import { BodyRows } from './body-rows.js';
import { ReceivedBody } from './received-body.js';
import { type ServerAgent, ServerAgents } from './server-agents.js';

const log = loggerFor('node-actions');

/** Extra waiting time after an action's time limit, in milliseconds, because a result may still be on its way. */
const SPARE_MS = 250;
/** How often to check that the agent of an unpulled call is still online, in milliseconds. */
const POLL_MS = 10_000;

/** A call to a server. */
export interface ServerCall<Name extends ActionName> {
  /** Code of the server. */
  readonly server: string;
  /** Id of the agent to use; default is the server's agent. */
  readonly node?: string;
  readonly action: Name;
  /** Null for an action on the server itself. */
  readonly site: SiteRef | null;
  readonly args: ActionArgs<Name>;
  /** Aborts the call. */
  readonly signal: AbortSignal;
  readonly progress?: (done: number, total: number) => void;
  /** Request body. */
  readonly send?: SentBody;
  /**
   * Receives the response body; called once when it starts to arrive. A receiver that does not read it to the end destroys it, which ends
   * the call.
   *
   * @param bytes length, null if the agent did not announce it
   */
  readonly receive?: (body: Readable, bytes: number | null) => void;
}

const LACKING: Readonly<Record<Extract<ServerAgent, { lacks: string }>['lacks'], DriverResult<never>>> = {
  agent: { outcome: 'unreachable', message: 'no agent has connected from the server yet', problem: { code: 'AGENT_NONE', params: {} } },
  heartbeat: {
    outcome: 'unreachable',
    message: 'the agent of the server has sent no heartbeat for a minute',
    problem: { code: 'AGENT_SILENT', params: {} },
  },
  permission: { outcome: 'refused', message: 'the agent of the server only runs scans', problem: { code: 'SCAN_ONLY', params: {} } },
};

/** Calls servers through their agents. A call is a task with a deadline; any process may serve the agent's pull and report. */
@Injectable()
export class AgentCalls {
  constructor(
    private readonly tasks: ActionTasks,
    private readonly signals: TaskSignals,
    private readonly agents: ServerAgents,
    private readonly ends: BodyEnds,
    private readonly rows: BodyRows,
    private readonly quiet: Quiet,
  ) {}

  /** Runs a call. `unreachable`: it was never pulled and never will be. `unknown`: it was pulled, but the outcome is not known. */
  async call<Name extends ActionName>(call: ServerCall<Name>): Promise<DriverResult<ActionResult<Name>>> {
    if (call.signal.aborted) return { outcome: 'unreachable', message: 'the caller no longer waits for the action' };
    // A restored panel sends nothing to servers before an administrator has reviewed it.
    if (this.quiet.active)
      return { outcome: 'unreachable', message: 'the panel was restored and does not send tasks to servers ' + 'until it is released' };
    const agent = await this.agents.of(call.server, call.node);
    if ('lacks' in agent) return LACKING[agent.lacks];
    const taskId = this.tasks.newId();
    const { action, site, args, send } = call;
    const body = send ? { bytes: send.bytes, sha256: send.sha256 } : null;
    const pending = new PendingCall(taskId, call, this.rows);
    const release = this.ends.hold(taskId, pending.end);
    const unwatch = this.signals.watch(taskId, (task) => pending.update(task));
    try {
      await this.tasks.add(taskId, { nodeId: agent.nodeId, action, site, args, body });
      await pending.waitForEnd(
        actionOf(action).seconds * 1_000 + SPARE_MS,
        async () => 'lacks' in (await this.agents.of(call.server, call.node)),
      );
      return await this.resultOf(taskId, call, pending);
    } finally {
      unwatch();
      release();
      pending.close();
      if (pending.isRelayed) await this.rows.clear(taskId);
    }
  }

  private async resultOf<Name extends ActionName>(
    taskId: string,
    { action, server }: ServerCall<Name>,
    pending: PendingCall,
  ): Promise<DriverResult<ActionResult<Name>>> {
    const state = await this.tasks.state(taskId);
    if (state?.status === 'success' || state?.status === 'failed') {
      const { result, body } = readEnd(action, state);
      await pending.received(body);
      if (result.outcome === 'unknown' || result.outcome === 'refused')
        log.warn({ server, task: taskId, action, outcome: result.outcome, reason: result.message }, 'a server did not complete an action');
      return result;
    }
    const was = await this.tasks.cancel(taskId);
    // It ended between the two statements.
    if (was === 'ended' && (state?.status === 'pending' || state?.status === 'running'))
      return this.resultOf(taskId, { action, server } as ServerCall<Name>, pending);
    const isCancelled = state?.status === 'expired' && Number(state.attempts) === 0;
    if (was === 'waiting' || isCancelled)
      return { outcome: 'unreachable', message: 'the agent of the server did not ' + 'fetch the task in time' };
    log.warn({ server, task: taskId, action }, 'a server did not report an action in time');
    return { outcome: 'unknown', message: 'the agent of the server did not report the result in time' };
  }
}

/** State of a call in progress. */
class PendingCall {
  isRelayed = false;
  private isTaken = false;
  private readonly stop = new AbortController();
  private incoming: ReceivedBody | null = null;
  /** Resolves once a relayed body starts to arrive or fails. */
  private begun: Promise<unknown> = Promise.resolve();
  private wake!: () => void;
  private readonly woken = new Promise<void>((resolve) => (this.wake = resolve));

  constructor(
    private readonly taskId: string,
    private readonly call: Pick<ServerCall<ActionName>, 'action' | 'signal' | 'progress' | 'send' | 'receive'>,
    private readonly rows: BodyRows,
  ) {}

  /** Body handlers of this call. */
  get end() {
    return { ...(this.call.send ? { send: this.call.send } : {}), receive: (bytes: number | null) => this.receive(bytes) };
  }

  update({ status, progress, bodyState }: WatchedTask): void {
    if (bodyState === 'relayed' && !this.isRelayed) this.relay();
    this.isTaken = status !== 'pending';
    if (status !== 'pending' && status !== 'running') return this.wake();
    const [, done, total] = /^(\d+)\/(\d+)$/.exec(progress) ?? [];
    if (done !== undefined) this.call.progress?.(Number(done), Number(total));
  }

  /** Waits until the task has ended, timed out or was aborted, or an agent that has not pulled it went offline. */
  async waitForEnd(ms: number, hasGone: () => Promise<boolean>): Promise<void> {
    const timer = setTimeout(this.wake, ms);
    const poll = async (): Promise<void> => {
      if (!this.isTaken && (await hasGone())) this.wake();
    };
    const polling = setInterval(() => void poll().catch(() => undefined), POLL_MS);
    this.call.signal.addEventListener('abort', this.wake, { once: true });
    await this.woken;
    clearTimeout(timer);
    clearInterval(polling);
    this.call.signal.removeEventListener('abort', this.wake);
  }

  /** Verifies the received body against the report and waits until it has been read. */
  async received(body: Parameters<ReceivedBody['report']>[0]): Promise<void> {
    // The whole body may have arrived before the first check.
    await this.begun;
    const { incoming } = this;
    if (!incoming) return;
    incoming.report(body);
    await incoming.read();
  }

  close(): void {
    this.stop.abort();
    if (this.incoming && !this.incoming.outlet.readableEnded)
      this.incoming.outlet.destroy(new Error('The transfer was interrupted by the server.'));
  }

  private receive(bytes: number | null): Writable {
    const incoming = new ReceivedBody(actionOf(this.call.action).body?.most ?? 0);
    this.incoming = incoming;
    // The reader has disconnected.
    incoming.outlet.once('close', () => {
      if (!incoming.outlet.readableEnded) this.wake();
    });
    if (this.call.receive) this.call.receive(incoming.outlet, bytes);
    else incoming.outlet.resume();
    return incoming.intake;
  }

  /** The agent connected to another process. */
  private relay(): void {
    this.isRelayed = true;
    const { send } = this.call;
    const { signal } = this.stop;
    const failed = (error: unknown): void => {
      if (!signal.aborted) log.warn({ err: error, task: this.taskId }, 'a body could not be relayed');
      this.incoming?.outlet.destroy();
    };
    void this.rows.keepAlive(this.taskId, signal).catch(failed);
    if (send) return void this.rows.write(this.taskId, send.bytes, send.content(), signal).catch(failed);
    this.begun = this.rows
      .open(this.taskId, signal)
      .then(({ bytes, content }) => void pipeline(Readable.from(content), this.receive(bytes), { signal }).catch(failed), failed);
  }
}
