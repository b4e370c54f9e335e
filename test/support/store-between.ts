import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Function that changes a response of the store; null: the request is not answered. */
export type Meddling = (path: string, body: Buffer) => Buffer | null;

/** Proxy between a panel and its store that can change responses. */
export class StoreBetween {
  /** Current change; null: responses pass unchanged. */
  meddle: Meddling | null = null;
  private readonly server: http.Server;

  private constructor(private readonly store: string) {
    this.server = http.createServer((req, res) => void this.pass(req, res).catch(() => res.destroy()));
  }

  static async start(store: string): Promise<StoreBetween> {
    const between = new StoreBetween(store);
    await new Promise<void>((resolve) => between.server.listen(0, '127.0.0.1', resolve));
    return between;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async pass(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of req as AsyncIterable<Buffer>) chunks.push(chunk);
    const path = req.url ?? '/';
    const answer = await fetch(`${this.store}${path}`, {
      method: req.method ?? 'GET',
      headers: { 'content-type': req.headers['content-type'] ?? 'application/json' },
      ...(chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}),
    });
    const body = Buffer.from(await answer.arrayBuffer());
    const changed = this.meddle ? this.meddle(path, body) : body;
    if (changed === null) return;
    res
      .writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '', 'content-length': changed.length })
      .end(changed);
  }
}
