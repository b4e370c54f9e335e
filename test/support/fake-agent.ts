import { createHash, randomBytes } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';

import {
  type ActionFailure,
  type ActionName,
  type ActionPayload,
  actionOf,
  type ActionSuccess,
  isAction,
  openSecrets,
  type PulledTask,
  readAction,
  ShapeError,
  sign,
  type SigningSecrets,
  SITES_CAPABILITY,
  type SiteRef,
} from '../../src/agents/index.js';

/** Maximum number of attempts to send a report, and the delay between them in milliseconds. */
const [MOST_TRIES, AGAIN_MS] = [100, 200];

/** Action received by a fake agent. */
export interface TakenAction {
  readonly task: PulledTask;
  readonly action: ActionName;
  readonly site: SiteRef | null;
  readonly args: Readonly<Record<string, unknown>>;
  /** Returns the request body of an action that sends one to the server. */
  body(): Promise<Buffer>;
  /** Uploads the body of the result. */
  send(content: Readable | Buffer, bytes?: number): Promise<void>;
  /**
   * Reports the progress.
   *
   * @returns false if the panel asks to stop
   */
  progress(done: number, total: number): Promise<boolean>;
}

/** Handler of an action; an error it throws is reported as a refusal. */
export type ActionHandler = (action: TakenAction) => Promise<Record<string, unknown> | 'already' | undefined | void>;

/** Refusal that handlers throw. */
export class AgentRefusal extends Error {
  constructor(
    readonly code: string,
    readonly params: Readonly<Record<string, string | number>> = {},
    readonly outcome: ActionFailure['outcome'] = 'refused',
  ) {
    super(code);
  }
}

/** Success with a value where nothing had to be changed. */
export class AlreadySo {
  constructor(readonly value: Record<string, unknown>) {}
}

/** Options of a fake agent. */
export interface FakeAgentOptions {
  readonly capabilities?: readonly string[];
  /** Long-poll time of `pull_task`, in seconds. */
  readonly wait?: number;
}

/** Agent in this process that uses the real protocol: it pulls actions, validates them like the real one, and runs them with `handle`. */
export class FakeAgent {
  /** All tasks received. */
  readonly taken: PulledTask[] = [];
  private readonly stop = new AbortController();
  private running: Promise<unknown> = Promise.resolve();
  private readonly busy = new Set<Promise<void>>();

  constructor(
    /** Returns the base URL of each request; tests alternate between two panels. */
    private readonly url: () => string,
    readonly nodeId: string,
    private readonly secrets: SigningSecrets,
    private readonly handle: ActionHandler,
    private readonly options: FakeAgentOptions = {},
  ) {}

  /** Sends a heartbeat and starts to pull tasks. */
  async start(): Promise<this> {
    // Each request adds a listener to the signal, which is removed only by garbage collection.
    setMaxListeners(0, this.stop.signal);
    await this.heartbeat();
    this.running = this.loop();
    return this;
  }

  async stopNow(): Promise<void> {
    this.stop.abort();
    await this.running.catch(() => undefined);
    await Promise.allSettled(this.busy);
  }

  /** Starts another process of the same agent, after this one was stopped. */
  again(): Promise<FakeAgent> {
    return new FakeAgent(this.url, this.nodeId, this.secrets, this.handle, this.options).start();
  }

  async heartbeat(): Promise<void> {
    const capabilities = this.options.capabilities ?? ['heartbeat', 'task', 'report', SITES_CAPABILITY];
    await this.call('heartbeat', { status: 'online', load: 0.1, version: '1.84.0', capabilities });
  }

  /**
   * Sends a signed request.
   *
   * @throws Error for a status other than 200
   */
  async call(
    act: string,
    body: object,
  ): Promise<Record<string, unknown> & { success: boolean; msg: string; data: Record<string, unknown> }> {
    const text = JSON.stringify(body);
    const target = `/api/node.php?act=${act}`;
    const response = await fetch(this.url() + target, {
      method: 'POST',
      body: text,
      headers: { 'Content-Type': 'application/json', ...this.signed(target, Buffer.from(text)) },
      signal: this.stop.signal,
    });
    if (response.status !== 200) throw new Error(`HTTP ${response.status}`);
    return (await response.json()) as never;
  }

  /** Returns the headers that sign a request. */
  signed(target: string, body: Buffer | 'stream'): Record<string, string> {
    const [time, nonce] = [String(Math.floor(Date.now() / 1_000)), randomBytes(12).toString('hex')];
    return {
      'X-SVC-Node': this.nodeId,
      'X-SVC-Time': time,
      'X-SVC-Nonce': nonce,
      'X-SVC-Sign': sign({ method: 'POST', url: target, body, time, nonce }, this.secrets),
    };
  }

  /** Downloads the body of a task. */
  getBody(taskId: string, attempt: number): Promise<Response> {
    const target = `/api/node.php?act=get_body&task_id=${taskId}&attempt=${attempt}`;
    return fetch(this.url() + target, { method: 'POST', headers: this.signed(target, Buffer.alloc(0)), signal: this.stop.signal });
  }

  /** Uploads the body of a task's result. */
  putBody(taskId: string, attempt: number, content: Readable, bytes: number | null): Promise<Response> {
    const target = `/api/node.php?act=put_body&task_id=${taskId}&attempt=${attempt}${bytes === null ? '' : `&bytes=${bytes}`}`;
    return fetch(this.url() + target, {
      method: 'POST',
      headers: this.signed(target, 'stream'),
      body: Readable.toWeb(content),
      duplex: 'half',
      signal: this.stop.signal,
    } as unknown as RequestInit);
  }

  /** Runs a task and reports the result. */
  async work(task: PulledTask): Promise<void> {
    const end = await this.done(task);
    const { message = '', ...result } = 'code' in end ? end : { ...end, message: '' };
    const status = 'value' in end ? 'success' : 'failed';
    const report = {
      task_id: task.task_id,
      attempt: task.attempt,
      status,
      result: status === 'failed' ? { ...result, message } : result,
      error: message,
    };
    for (let tries = 1; ; tries += 1) {
      try {
        return void (await this.call('report_result', report));
      } catch (error) {
        // The panel is down: retry until it is back.
        if (this.stop.signal.aborted || tries > MOST_TRIES) throw error;
        await pause(AGAIN_MS, undefined, { signal: this.stop.signal });
      }
    }
  }

  private async loop(): Promise<void> {
    const beat = setInterval(() => void this.heartbeat().catch(() => undefined), 5_000);
    try {
      while (!this.stop.signal.aborted) {
        const began = performance.now();
        const answer = await this.call('pull_task', { wait: this.options.wait ?? 25 }).catch(() => null);
        const task = (answer?.data.task ?? null) as PulledTask | null;
        if (task) this.begin(task);
        // A panel that is shutting down answers immediately.
        else if (performance.now() - began < 200) await pause(50, undefined, { signal: this.stop.signal }).catch(() => undefined);
      }
    } finally {
      clearInterval(beat);
    }
  }

  private begin(task: PulledTask): void {
    this.taken.push(task);
    const work = this.work(task).catch(() => undefined);
    this.busy.add(work);
    void work.finally(() => this.busy.delete(work));
  }

  private async done(task: PulledTask): Promise<ActionSuccess | ActionFailure> {
    const { action, task_id: taskId } = task;
    const payload = task.payload as unknown as ActionPayload;
    let sent: ActionSuccess['body'] = null;
    try {
      if (!isAction(action)) throw new AgentRefusal('UNKNOWN_ACTION');
      const sealedTo = { nodeId: this.nodeId, nodeSecret: this.secrets.nodeSecret, taskId, action };
      const secrets = payload.sealed === null ? {} : openSecrets(payload.sealed, sealedTo);
      const { site, args } = readAction(action, payload, secrets);
      const value = await this.handle({
        task,
        action,
        site,
        args: args as Record<string, unknown>,
        body: () => this.bodyOf(task),
        send: async (content, bytes) => {
          sent = await this.sendBody(task, content, bytes);
        },
        progress: async (done, total) => (await this.call('extend_lease', { task_id: taskId, attempt: task.attempt, done, total })).success,
      });
      if (value === 'already') return { outcome: 'already', value: {}, body: sent };
      if (value instanceof AlreadySo) return { outcome: 'already', value: value.value, body: sent };
      return { outcome: 'ok', value: actionOf(action).result.read(value ?? {}, 'value') as Record<string, unknown>, body: sent };
    } catch (error) {
      if (error instanceof AgentRefusal) return { outcome: error.outcome, code: error.code, params: error.params, message: error.message };
      if (error instanceof ShapeError) return { outcome: 'refused', code: 'ARGUMENTS', params: {}, message: error.message };
      return { outcome: 'unknown', code: '', params: {}, message: String(error) };
    }
  }

  private async bodyOf({ task_id: taskId, attempt, payload }: PulledTask): Promise<Buffer> {
    const response = await this.getBody(taskId, attempt);
    if (response.headers.get('content-type') !== 'application/octet-stream') throw new AgentRefusal('BODY');
    const bytes = Buffer.from(await response.arrayBuffer());
    const { body } = payload as unknown as ActionPayload;
    const isWrong =
      (body?.bytes != null && body.bytes !== bytes.length) ||
      (body?.sha256 != null && body.sha256 !== createHash('sha256').update(bytes).digest('hex'));
    if (isWrong) throw new AgentRefusal('BODY');
    return bytes;
  }

  private async sendBody({ task_id: taskId, attempt }: PulledTask, content: Readable | Buffer, bytes?: number) {
    const hash = createHash('sha256');
    let count = 0;
    const counted = async function* (): AsyncGenerator<Buffer> {
      for await (const chunk of Buffer.isBuffer(content) ? [content] : (content as AsyncIterable<Buffer>)) {
        if (chunk.length === 0) continue;
        hash.update(chunk);
        count += chunk.length;
        yield chunk;
      }
    };
    const response = await this.putBody(
      taskId,
      attempt,
      Readable.from(counted()),
      bytes ?? (Buffer.isBuffer(content) ? content.length : null),
    );
    if (!((await response.json()) as { success: boolean }).success) throw new AgentRefusal('BODY');
    return { bytes: count, sha256: hash.digest('hex') };
  }
}
