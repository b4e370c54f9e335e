import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

import { serveHttp, type LoopbackServer } from './loopback-server.js';

/** Request received from an agent. */
export interface AgentCall {
  act: string;
  body: Record<string, unknown>;
  headers: IncomingMessage['headers'];
}

/** Report in the wire format. */
export interface AgentReport {
  task_id: string;
  status: string;
  result: { site?: string; message?: string; summary?: Record<string, unknown>; matches?: Record<string, unknown>[] };
  error: string;
}

/** Request handler that replaces the fake's own if it returns true. */
export type Interference = (call: AgentCall, response: ServerResponse) => boolean;

/** Fake panel side of `/api/node.php` in memory: checks signatures and nonces like the real one, and returns the queued tasks. */
export class FakeNodePanel {
  readonly platformSecret = 'platform-secret-of-the-test';
  readonly nodeId = 'node_test';
  readonly nodeSecret = '00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff';
  /** All requests with a valid signature, in order. */
  readonly calls: AgentCall[] = [];
  /** Received reports, in order. */
  readonly reports: AgentReport[] = [];
  /** Number of requests with an invalid signature. */
  refused = 0;
  /** Tasks to return, one per pull. */
  readonly tasks: { task_id: string; action: string; payload: unknown; attempt?: number }[] = [];
  /** Request bodies of tasks, by task id. */
  readonly bodies = new Map<string, Buffer>();
  /** Uploaded bodies, by task id. */
  readonly received = new Map<string, Buffer>();
  /** Scan settings in the answer of `get_config`. */
  scanSettings: Record<string, unknown> = { enabled: false };
  /** Whether additional fields are under `data`, at the top level, or both. */
  extras: 'data' | 'top' | 'both' = 'both';
  interfere: Interference = () => false;

  private readonly nonces = new Set<string>();
  private server!: LoopbackServer;
  private watchers: (() => void)[] = [];

  static async start(): Promise<FakeNodePanel> {
    const panel = new FakeNodePanel();
    panel.server = await serveHttp((request, response) => void panel.handle(request, response));
    return panel;
  }

  get url(): string {
    return `http://127.0.0.1:${this.server.port}`;
  }

  /** Returns the config file that "add node" shows. */
  config(further: Record<string, unknown> = {}): Record<string, unknown> {
    return {
      svc_url: this.url,
      platform_secret: this.platformSecret,
      node_id: this.nodeId,
      node_secret: this.nodeSecret,
      node_name: 'test node',
      version: '0.1.0',
      interval_seconds: 5,
      capabilities: ['heartbeat', 'task', 'report', 'forbidden_scan'],
      ...further,
    };
  }

  /** Returns the requests of one kind. */
  callsOf(act: string): AgentCall[] {
    return this.calls.filter((call) => call.act === act);
  }

  /** Resolves once the condition is true; checks it after every request. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise<void>((resolve) => this.watchers.push(resolve));
  }

  close(): Promise<void> {
    return this.server.close();
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const target = request.url ?? '';
    const act = new URL(target, 'http://panel').searchParams.get('act') ?? '';
    const query = new URL(target, 'http://panel').searchParams;
    const problem = this.refusal(request, target, act === 'put_body' ? null : body);
    if (problem !== null) {
      this.refused++;
      answer(response, { success: false, code: 400, msg: problem, data: [] });
    } else if (act === 'get_body' || act === 'put_body') {
      this.moveBody(act, query, body, response);
    } else {
      const call = { act, body: JSON.parse(body.toString('utf8')) as Record<string, unknown>, headers: request.headers };
      this.calls.push(call);
      if (!this.interfere(call, response)) this.answerCall(call, response);
    }
    for (const watcher of this.watchers.splice(0)) watcher();
  }

  private moveBody(act: 'get_body' | 'put_body', query: URLSearchParams, sent: Buffer, response: ServerResponse): void {
    const id = query.get('task_id') ?? '';
    if (act === 'put_body') {
      this.received.set(id, sent);
      return this.accept(response, 'body taken', { bytes: sent.length });
    }
    const body = this.bodies.get(id);
    if (!body) return answer(response, { success: false, code: 400, msg: '没有内容', data: [] });
    response.writeHead(200, { 'Content-Type': 'application/octet-stream', 'Content-Length': body.length }).end(body);
  }

  private answerCall({ act, body }: AgentCall, response: ServerResponse): void {
    switch (act) {
      case 'heartbeat':
        return this.accept(response, 'heartbeat ok', { server_time: '2026-11-21 08:00:00' });
      case 'get_config':
        return this.accept(response, 'config ok', { forbidden_scan: this.scanSettings });
      case 'pull_task':
        return this.accept(response, 'pull task ok', { task: this.tasks.shift() ?? null });
      case 'report_result':
        this.reports.push(body as unknown as AgentReport);
        return this.accept(response, '结果已接收', {});
      default:
        return answer(response, { success: false, code: 400, msg: 'unknown action', data: [] });
    }
  }

  private accept(response: ServerResponse, msg: string, extras: Record<string, unknown>): void {
    const top = this.extras === 'data' ? {} : extras;
    answer(response, { ...top, success: true, code: 200, msg, data: this.extras === 'top' ? [] : extras });
  }

  /**
   * Returns the error message of a rejected request, or null.
   *
   * @param body null for a stream
   */
  private refusal(request: IncomingMessage, target: string, body: Buffer | null): string | null {
    const header = (name: string): string => String(request.headers[name] ?? '');
    if (header('x-svc-node') !== this.nodeId) return header('x-svc-node') === '' ? '缺少节点ID' : '节点不存在或已禁用';
    const [time, nonce] = [header('x-svc-time'), header('x-svc-nonce')];
    const key = createHmac('sha256', this.platformSecret).update(this.nodeSecret).digest('hex');
    const message = `${request.method}\n${target}\n${body ? createHash('sha256').update(body).digest('hex') : 'stream'}\n${time}\n${nonce}`;
    const expected = Buffer.from(createHmac('sha256', key).update(message).digest('hex'));
    const given = Buffer.from(header('x-svc-sign'));
    const fresh = Math.abs(Number(time) - Date.now() / 1000) <= 300;
    if (!fresh || !/^[0-9a-f]{24}$/.test(nonce) || given.length !== expected.length || !timingSafeEqual(given, expected))
      return '节点签名校验失败';
    if (this.nonces.has(nonce)) return '重复请求';
    this.nonces.add(nonce);
    return null;
  }
}

function answer(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'Content-Type': 'application/json; charset=UTF-8' }).end(JSON.stringify(body));
}
