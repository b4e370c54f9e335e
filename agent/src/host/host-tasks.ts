import { createReadStream, createWriteStream } from 'node:fs';
import * as fs from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';

import {
  type ActionBody,
  type ActionFailure,
  type ActionPayload,
  actionOf,
  type ActionSuccess,
  isAction,
  MAX_ACTION_BYTES,
} from '../../../src/agents/wire/actions.js';
import { openSecrets } from '../../../src/agents/wire/seal.js';
import type { Config } from '../config/config.js';
import { isDiskFull, messageOf } from '../errors.js';
import type { Log } from '../log.js';
import type { PanelBodies } from '../panel/panel-bodies.js';
import type { PanelClient } from '../panel/panel-client.js';
import { PanelError } from '../panel/panel-error.js';
import { asRecord } from '../record.js';
import type { BegunAction, StateStore } from '../state/state-store.js';
import type { OutgoingBody } from './actions/bodies.js';
import { failed, failureOf } from './failures.js';
import type { Hosting } from './hosting.js';
import { HostRefusal } from './refusal.js';

/** Maximum number of actions running at a time. */
const MAX_CONCURRENT = 12;
const LEASE_EVERY_MS = 20_000;

/** A task with a known action, as received from the panel. */
export interface HostTask extends BegunAction {
  readonly payload: Record<string, unknown>;
}

/** Dependencies of {@link HostTasks}. */
export interface HostTaskParts {
  readonly config: Config;
  readonly client: PanelClient;
  readonly bodies: PanelBodies;
  readonly hosting: Hosting;
  readonly store: StateStore;
  readonly log: Log;
}

/**
 * Runs action tasks of the panel: several at a time, each with a timeout, each reported once. The start of a task is stored on disk before
 * any work. After a crash every site is in its old or new state, and the task is reported with an unknown outcome.
 */
export class HostTasks {
  private readonly running = new Map<string, Promise<void>>();
  private begun: BegunAction[] = [];
  private saving: Promise<unknown> = Promise.resolve();

  constructor(private readonly parts: HostTaskParts) {}

  /** Reports the tasks that a crash interrupted. The sites have been recovered before. */
  async recover(): Promise<void> {
    for (const { task_id, attempt, action } of await this.parts.store.begunActions()) {
      this.parts.log.warning('An action was interrupted', { task: task_id, action });
      await this.parts.store.addReport(
        reportOf({ task_id, attempt, action }, failed('unknown', '', 'The agent stopped during the action.')),
      );
    }
    await this.saveRunning([]);
  }

  /** Starts a task as soon as a slot is free. @param stop stops it */
  async begin(task: HostTask, stop: AbortSignal): Promise<void> {
    while (this.running.size >= MAX_CONCURRENT) await Promise.race(this.running.values());
    if (this.running.has(task.task_id)) return;
    const work = this.work(task, stop)
      .catch((error: unknown) => this.parts.log.error(`An action cannot be reported: ${messageOf(error)}`, { task: task.task_id }))
      .finally(() => this.running.delete(task.task_id));
    this.running.set(task.task_id, work);
  }

  /** Waits for running tasks to finish. */
  async idle(): Promise<void> {
    await Promise.all(this.running.values());
  }

  private async work(task: HostTask, stop: AbortSignal): Promise<void> {
    const { log, client } = this.parts;
    const { task_id, attempt, action } = task;
    log.info('Action', { task: task_id, action });
    await this.saveRunning([...this.begun, { task_id, attempt, action }]);
    const end = await this.execute(task, stop);
    if (stop.aborted) return;
    if ('message' in end) log.warning(`Action ${end.outcome}: ${end.message}`, { task: task_id, action, code: end.code });
    const report = reportOf(task, end);
    // Reported immediately if possible, because a user waits for it.
    await client.call('report_result', report, stop).catch(async (error: unknown) => {
      log.warning(`report_result: ${messageOf(error)}`, { task: task_id });
      await this.parts.store.addReport(report);
    });
    await this.saveRunning(this.begun.filter((one) => one.task_id !== task_id));
  }

  /** Runs a task within its time limit and returns its result. */
  private async execute(task: HostTask, agentStop: AbortSignal): Promise<ActionSuccess | ActionFailure> {
    const payload = task.payload as unknown as ActionPayload;
    if (!isAction(task.action)) return failed('refused', 'UNKNOWN_ACTION', 'This version of the agent does not know the action.');
    const left = Math.min(Number(payload.left), actionOf(task.action).seconds * 1_000);
    if (!(left > 0)) return failed('refused', 'LATE', 'The deadline of the task passed before it started.');
    const cancel = new AbortController();
    const timer = setTimeout(() => cancel.abort(new HostRefusal('LATE', 'The deadline of the task passed before it was completed.')), left);
    const onStop = (): void => cancel.abort(agentStop.reason);
    agentStop.addEventListener('abort', onStop);
    const progress = { done: 0, total: 0 };
    const lease = setInterval(() => void this.extend(task, progress, cancel), LEASE_EVERY_MS);
    try {
      const end = await this.run(task, payload, left, cancel.signal, progress);
      return cancel.signal.aborted ? failed('unknown', 'LATE', 'The deadline of the task passed.') : end;
    } finally {
      clearTimeout(timer);
      clearInterval(lease);
      agentStop.removeEventListener('abort', onStop);
    }
  }

  private async run(
    task: HostTask,
    payload: ActionPayload,
    leftMs: number,
    stop: AbortSignal,
    progress: { done: number; total: number },
  ): Promise<ActionSuccess | ActionFailure> {
    const { hosting } = this.parts;
    const spools: (() => Promise<void>)[] = [];
    let sent: ActionBody | null = null;
    const spool = async (): Promise<string> => {
      const { file, drop } = await hosting.spool();
      spools.push(drop);
      return file;
    };
    try {
      const secrets = this.secretsOf(task, payload);
      if (!secrets) return failed('refused', 'ARGUMENTS', 'The secrets of the task are sealed for another task.');
      const body = await this.received(task, payload, spool, stop);
      const end = await hosting.run(
        { action: task.action, payload, secrets },
        {
          stop,
          leftMs,
          body,
          progress: (done, total) => void Object.assign(progress, { done, total }),
          send: async (outgoing) => void (sent = await this.send(task, outgoing, spool, stop)),
        },
      );
      if (!('value' in end)) return end;
      if (Buffer.byteLength(JSON.stringify(end.value)) > MAX_ACTION_BYTES)
        return failed('unknown', 'BODY', 'The result of the action is too large.');
      return { ...end, body: sent };
    } catch (error) {
      if (error instanceof PanelError) return failed('refused', 'BODY', error.message);
      return failureOf(error);
    } finally {
      for (const drop of spools) await drop();
    }
  }

  private secretsOf({ task_id, action }: HostTask, { sealed }: ActionPayload): Record<string, unknown> | null {
    if (sealed === null) return {};
    const { nodeId, nodeSecret } = this.parts.config;
    try {
      return openSecrets(String(sealed), { nodeId, nodeSecret, taskId: task_id, action });
    } catch {
      return null;
    }
  }

  /** Downloads the request body completely before the action starts. */
  private async received(
    task: HostTask,
    { body }: ActionPayload,
    spool: () => Promise<string>,
    stop: AbortSignal,
  ): Promise<{ file: string; bytes: number } | null> {
    const expected = isAction(task.action) ? actionOf(task.action).body : null;
    if (expected?.to !== 'server' || !body) return null;
    const file = await spool();
    const { bytes } = await this.parts.bodies.get(task, file, { ...body, maxBytes: expected.most }, stop);
    return { file, bytes };
  }

  private async send(
    task: HostTask,
    { bytes, content }: OutgoingBody,
    spool: () => Promise<string>,
    stop: AbortSignal,
  ): Promise<ActionBody> {
    if (bytes !== null) return this.parts.bodies.put(task, content, bytes, stop);
    // The upload must declare its length in advance.
    const file = await spool();
    await pipeline(content, createWriteStream(file, { flags: 'wx', mode: 0o600 }), { signal: stop });
    return this.parts.bodies.put(task, createReadStream(file), (await fs.stat(file)).size, stop);
  }

  private async extend(
    { task_id, attempt }: HostTask,
    { done, total }: { done: number; total: number },
    cancel: AbortController,
  ): Promise<void> {
    const answer = await this.parts.client.call('extend_lease', { task_id, attempt, done, total }, cancel.signal).catch(() => null);
    if (answer && !answer.success) cancel.abort(new HostRefusal('LATE', 'The panel cancelled the task.'));
  }

  /**
   * Stores the running actions. On a full disk work continues without it, otherwise nobody could free space; after a crash the panel then
   * notices by the expired lease that no result arrives.
   */
  private saveRunning(begun: BegunAction[]): Promise<unknown> {
    this.begun = begun;
    const saved = this.saving
      .then(() => this.parts.store.saveBegunActions(this.begun))
      .catch((error: unknown) => {
        if (!isDiskFull(error)) throw error;
        this.parts.log.warning('The disk of this server is full: the list of running actions cannot be stored');
      });
    this.saving = saved.catch(() => undefined);
    return saved;
  }
}

/** Converts a panel task to an action task. @returns null if it is not an action */
export function asHostTask(raw: Record<string, unknown>): HostTask | null {
  const action = String(raw.action ?? '');
  const attempt = Number(raw.attempt ?? 1);
  if (!isAction(action) || !Number.isInteger(attempt)) return null;
  return { task_id: String(raw.task_id ?? ''), attempt, action, payload: asRecord(raw.payload) ?? {} };
}

/** Builds the report of a task. */
export function reportOf({ task_id, attempt }: BegunAction, end: ActionSuccess | ActionFailure): Parameters<StateStore['addReport']>[0] {
  const isDone = end.outcome === 'ok' || end.outcome === 'already';
  return { task_id, attempt, status: isDone ? 'success' : 'failed', result: { ...end }, error: 'message' in end ? end.message : '' };
}
