import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import { openExchange, OutboundFailure, OutboundHttp, systemResolver } from '../../../common/index.js';
import type { TestHttp, TestHttpAnswer, TestHttpCall } from '../../../sdk/testing.js';

/** Header with the original URL, between this process and itself. */
const CALL = 'x-test-kit-url';
/** Public address returned for names with a test answer; never connected to. */
const PUBLIC = { address: '93.184.215.14', family: 4 };
const LOOPBACK = /^(?:127\.|::1$)/;

/**
 * Fake internet of a tested panel: a server in this process that the panel's real HTTP client connects to for every address. Timeouts,
 * redirects, size limits and rejected addresses therefore behave as in production.
 */
export class FakeHttp implements TestHttp {
  readonly calls: TestHttpCall[] = [];
  private readonly answers: { readonly address: string; readonly answer: TestHttpAnswer }[] = [];
  private readonly server = createServer((req, res) => void this.serve(req, res).catch(() => res.destroy()));

  /** @param allowCidrs non-public networks the panel may reach; only loopback addresses are really connected to */
  static async install(client: OutboundHttp, allowCidrs: readonly string[]): Promise<FakeHttp> {
    const fake = new FakeHttp();
    fake.server.listen(0, '127.0.0.1');
    await once(fake.server, 'listening');
    fake.server.unref();
    const inside = fake.clientFor(allowCidrs);
    client.request = (request) => inside.request(request);
    client.download = (request, path) => inside.download(request, path);
    return fake;
  }

  answer(address: string, answer: TestHttpAnswer): void {
    this.answers.unshift({ address, answer });
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }

  private clientFor(allowCidrs: readonly string[]): OutboundHttp {
    return new OutboundHttp({
      allowCidrs,
      resolver: async (name) => (name === 'localhost' || name.endsWith('.localhost') ? systemResolver(name) : [PUBLIC]),
      exchange: async (hop, addresses, signal) => {
        const url = hop.url.href;
        if (!this.find(url)) {
          if (addresses.every(({ address }) => LOOPBACK.test(address))) return openExchange(hop, addresses, signal);
          this.record(hop.method, url, Object.fromEntries(hop.headers), Buffer.from(hop.body ?? []).toString(), false);
          throw new OutboundFailure('FAILED', `no fake response is defined for ${hop.url.host}`);
        }
        const { port } = this.server.address() as AddressInfo;
        const here = new URL(`http://127.0.0.1:${port}/`);
        const headers = new Map([...hop.headers, ['host', hop.url.host], [CALL, url]]);
        return openExchange({ ...hop, url: here, headers }, [{ address: '127.0.0.1', family: 4 }], signal);
      },
    });
  }

  private find(url: string): TestHttpAnswer | undefined {
    return this.answers.find(({ address }) => url.startsWith(address))?.answer;
  }

  private record(method: string, url: string, headers: Readonly<Record<string, string>>, body: string, answered: boolean): TestHttpCall {
    const call = { method, url, headers, body, answered };
    this.calls.push(call);
    return call;
  }

  private async serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { [CALL]: url, ...headers } = req.headers as Record<string, string>;
    const call = this.record(req.method!, url!, headers, await text(req), true);
    const answer = this.find(call.url);
    if (answer === 'hang') return;
    if (answer === undefined || answer === 'cut') return void res.destroy();
    const { status = 200, headers: more = {}, body = '' } = typeof answer === 'function' ? await answer(call) : answer;
    const isText = typeof body === 'string';
    res.writeHead(status, { ...(isText ? {} : { 'content-type': 'application/json' }), ...more }).end(isText ? body : JSON.stringify(body));
  }
}
