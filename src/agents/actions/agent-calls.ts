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

/** How much longer than the action has it is waited for: what ended in time may be on its way. */
const SPARE_MS = 250;
/** How often it is looked whether the agent is still heard that has not come for a call, in milliseconds. */
const LOOK_MS = 10_000;

/** A call of a server. */
export interface ServerCall<Name extends ActionName> {
  /** Code of the server. */
  readonly server: string;
  /** Id of the agent that is to do it; that of the server where nothing is said. */
  readonly node?: string;
  readonly action: Name;
  /** Null for one about the server. */
  readonly site: SiteRef | null;
  readonly args: ActionArgs<Name>;
  /** Nobody waits for the answer any more once it aborts. */
  readonly signal: AbortSignal;
  readonly progress?: (done: number, total: number) => void;
  /** What goes to the server with it. */
  readonly send?: SentBody;
  /**
   * What comes with it: called once where it begins to come. Who does not read it to its end destroys it, which ends the call.
   *
   * @param bytes null where the agent did not say
   */
  readonly receive?: (body: Readable, bytes: number | null) => void;
}

const LACKING: Readonly<Record<Extract<ServerAgent, { lacks: string }>['lacks'], DriverResult<never>>> = {
  agent: { outcome: 'unreachable', message: 'no agent of the server has come yet', problem: { code: 'AGENT_NONE', params: {} } },
  heartbeat: {
    outcome: 'unreachable',
    message: 'the agent of the server has not been heard for a minute',
    problem: { code: 'AGENT_SILENT', params: {} },
  },
  permission: { outcome: 'refused', message: 'the agent of the server only scans', problem: { code: 'SCAN_ONLY', params: {} } },
};

/** Calls servers through their agents: a call is a task with a deadline, which any process may hand out and any may take the end of. */
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

  /** What became of it. `unreachable`: it was not handed out, and will not be. `unknown`: it was, and nobody knows. */
  async call<Name extends ActionName>(call: ServerCall<Name>): Promise<DriverResult<ActionResult<Name>>> {
    if (call.signal.aborted) return { outcome: 'unreachable', message: 'nobody waits for it any more' };
    // A restored panel asks nothing of servers before somebody looked.
    if (this.quiet.active) return { outcome: 'unreachable', message: 'the panel was restored and asks nothing of servers yet' };
    const agent = await this.agents.of(call.server, call.node);
    if ('lacks' in agent) return LACKING[agent.lacks];
    const taskId = this.tasks.newId();
    const { action, site, args, send } = call;
    const body = send ? { bytes: send.bytes, sha256: send.sha256 } : null;
    const turn = new CallTurn(taskId, call, this.rows);
    const letGo = this.ends.hold(taskId, turn.end);
    const unwatch = this.signals.watch(taskId, (task) => turn.look(task));
    try {
      await this.tasks.add(taskId, { nodeId: agent.nodeId, action, site, args, body });
      await turn.over(actionOf(action).seconds * 1_000 + SPARE_MS, async () => 'lacks' in (await this.agents.of(call.server, call.node)));
      return await this.resultOf(taskId, call, turn);
    } finally {
      unwatch();
      letGo();
      turn.close();
      if (turn.isRelayed) await this.rows.clear(taskId);
    }
  }

  private async resultOf<Name extends ActionName>(
    taskId: string,
    { action, server }: ServerCall<Name>,
    turn: CallTurn,
  ): Promise<DriverResult<ActionResult<Name>>> {
    const state = await this.tasks.state(taskId);
    if (state?.status === 'success' || state?.status === 'failed') {
      const { result, body } = readEnd(action, state);
      await turn.received(body);
      if (result.outcome === 'unknown' || result.outcome === 'refused')
        log.warn(
          { server, task: taskId, action, outcome: result.outcome, reason: result.message },
          'a server did not do what it was asked',
        );
      return result;
    }
    const was = await this.tasks.giveUp(taskId);
    // It ended at this very moment.
    if (was === 'ended' && (state?.status === 'pending' || state?.status === 'running'))
      return this.resultOf(taskId, { action, server } as ServerCall<Name>, turn);
    const isCancelled = state?.status === 'expired' && Number(state.attempts) === 0;
    if (was === 'waiting' || isCancelled) return { outcome: 'unreachable', message: 'the agent of the server did not come for it' };
    log.warn({ server, task: taskId, action }, 'a server was asked and did not say in time what became of it');
    return { outcome: 'unknown', message: 'the agent of the server did not say in time what became of it' };
  }
}

/** One call while it is waited for. */
class CallTurn {
  isRelayed = false;
  private isTaken = false;
  private readonly stop = new AbortController();
  private incoming: ReceivedBody | null = null;
  /** Over once a body that is relayed begins to come, or does not. */
  private begun: Promise<unknown> = Promise.resolve();
  private wake!: () => void;
  private readonly woken = new Promise<void>((resolve) => (this.wake = resolve));

  constructor(
    private readonly taskId: string,
    private readonly call: Pick<ServerCall<ActionName>, 'action' | 'signal' | 'progress' | 'send' | 'receive'>,
    private readonly rows: BodyRows,
  ) {}

  /** The end of its body. */
  get end() {
    return { ...(this.call.send ? { send: this.call.send } : {}), receive: (bytes: number | null) => this.receive(bytes) };
  }

  look({ status, progress, bodyState }: WatchedTask): void {
    if (bodyState === 'relayed' && !this.isRelayed) this.relay();
    this.isTaken = status !== 'pending';
    if (status !== 'pending' && status !== 'running') return this.wake();
    const [, done, total] = /^(\d+)\/(\d+)$/.exec(progress) ?? [];
    if (done !== undefined) this.call.progress?.(Number(done), Number(total));
  }

  /** Waits until it has ended, its time is over, nobody wants it any more, or the agent has gone that has not come for it. */
  async over(ms: number, hasGone: () => Promise<boolean>): Promise<void> {
    const timer = setTimeout(this.wake, ms);
    const look = async (): Promise<void> => {
      if (!this.isTaken && (await hasGone())) this.wake();
    };
    const looks = setInterval(() => void look().catch(() => undefined), LOOK_MS);
    this.call.signal.addEventListener('abort', this.wake, { once: true });
    await this.woken;
    clearTimeout(timer);
    clearInterval(looks);
    this.call.signal.removeEventListener('abort', this.wake);
  }

  /** Its report has come: what was sent is right or not, and is waited for until it is read. */
  async received(body: Parameters<ReceivedBody['report']>[0]): Promise<void> {
    // All of it may have come before anybody looked.
    await this.begun;
    const { incoming } = this;
    if (!incoming) return;
    incoming.report(body);
    await incoming.read();
  }

  close(): void {
    this.stop.abort();
    if (this.incoming && !this.incoming.outlet.readableEnded) this.incoming.outlet.destroy(new Error('The server broke off.'));
  }

  private receive(bytes: number | null): Writable {
    const incoming = new ReceivedBody(actionOf(this.call.action).body?.most ?? 0);
    this.incoming = incoming;
    // Whoever reads it has gone.
    incoming.outlet.once('close', () => {
      if (!incoming.outlet.readableEnded) this.wake();
    });
    if (this.call.receive) this.call.receive(incoming.outlet, bytes);
    else incoming.outlet.resume();
    return incoming.intake;
  }

  /** The agent came to another process. */
  private relay(): void {
    this.isRelayed = true;
    const { send } = this.call;
    const { signal } = this.stop;
    const failed = (error: unknown): void => {
      if (!signal.aborted) log.warn({ err: error, task: this.taskId }, 'a body could not be passed on');
      this.incoming?.outlet.destroy();
    };
    void this.rows.attend(this.taskId, signal).catch(failed);
    if (send) return void this.rows.write(this.taskId, send.bytes, send.content(), signal).catch(failed);
    this.begun = this.rows
      .open(this.taskId, signal)
      .then(({ bytes, content }) => void pipeline(Readable.from(content), this.receive(bytes), { signal }).catch(failed), failed);
  }
}
