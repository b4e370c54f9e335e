import { randomBytes, X509Certificate } from 'node:crypto';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { TestAuthority } from './certificates.js';

/**
 * Behaviour of the fake authority: `hang` never answers, `garbage` answers no JSON, `busy` asks the client to wait, `nonces` rejects every
 * second nonce, `down` answers 503.
 */
export type Mood = 'fine' | 'hang' | 'garbage' | 'busy' | 'nonces' | 'down';

interface Order {
  readonly id: string;
  readonly names: string[];
  status: 'pending' | 'ready' | 'valid' | 'invalid';
  certificate: string;
}
interface Authz {
  readonly name: string;
  readonly token: string;
  readonly order: string;
  status: 'pending' | 'valid' | 'invalid';
  error?: object;
}

/**
 * Fake ACME authority (RFC 8555) over plain HTTP, for tests of faults. It does not check signatures; `pebble` does, in
 * test/certificates-pebble.spec.ts. It requests the challenge responses at the port of the sites.
 */
export class AcmeAuthority {
  mood: Mood = 'fine';
  /** Validity of issued certificates; 90 days by default. */
  times: { from?: Date; to?: Date } = {};
  /** Names the authority rejects, with the ACME error type. */
  readonly refused = new Map<string, string>();
  readonly asked: string[] = [];
  /** Awaited before each answer. */
  hold: ((path: string) => Promise<void>) | null = null;
  /** Serial numbers of revoked certificates, with the reason. */
  readonly revoked = new Map<string, unknown>();
  /** Responses to the challenge requests of the authority. */
  readonly found: { name: string; status: number; body: string }[] = [];
  private readonly orders = new Map<string, Order>();
  private readonly proofs = new Map<string, Authz>();
  private nonces = 0;
  private readonly server = createServer((req, res) => void this.answer(req, res));

  private constructor(
    readonly trust: TestAuthority,
    private readonly sitesPort: () => number,
  ) {}

  static async start(sitesPort: () => number): Promise<AcmeAuthority> {
    const authority = new AcmeAuthority(await TestAuthority.make(), sitesPort);
    await new Promise<void>((resolve) => authority.server.listen(0, '127.0.0.1', resolve));
    return authority;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }
  get directory(): string {
    return `${this.url}/directory`;
  }
  count(path: string): number {
    return this.asked.filter((one) => one.startsWith(path)).length;
  }
  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private async answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const path = req.url ?? '/';
    let text = '';
    for await (const chunk of req) text += String(chunk);
    this.asked.push(path);
    await this.hold?.(path);
    res.setHeader('Replay-Nonce', randomBytes(12).toString('base64url'));
    if (this.mood === 'hang') return;
    if (this.mood === 'garbage') return void res.end('<html>It works!</html>');
    if (this.mood === 'down') return send(res, 503, { type: 'urn:ietf:params:acme:error:serverInternal', detail: 'maintenance' });
    if (path === '/directory')
      return send(res, 200, {
        newNonce: `${this.url}/nonce`,
        newAccount: `${this.url}/account`,
        newOrder: `${this.url}/order`,
        revokeCert: `${this.url}/revoke`,
        meta: { termsOfService: 'https://terms.example/' },
      });
    if (path === '/nonce') return void res.end();
    if (this.mood === 'nonces' && (this.nonces += 1) % 2 === 1) return problem(res, 400, 'badNonce', 'used');
    if (text === '') return problem(res, 404, 'malformed', 'none');
    const { payload } = JSON.parse(text) as { payload: string };
    const body = payload === '' ? {} : (JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>);
    if (path === '/account') return send(res.setHeader('Location', `${this.url}/accounts/1`), 201, { status: 'valid' });
    if (path === '/order')
      return this.newOrder(
        res,
        (body.identifiers as { value: string }[]).map(({ value }) => value),
      );
    if (path === '/revoke') return this.revoke(res, String(body.certificate), body.reason);
    const [, kind, id = ''] = path.split('/');
    if (kind === 'accounts') return send(res, 200, { status: 'valid' });
    if (kind === 'orders')
      return this.orders.has(id) ? send(res, 200, this.shown(this.orders.get(id)!)) : problem(res, 404, 'malformed', 'none');
    if (kind === 'authz') return send(res, 200, this.shownAuthz(this.proofs.get(id)!));
    if (kind === 'chall') {
      void this.look(this.proofs.get(id)!);
      return send(res, 200, {});
    }
    if (kind === 'finalize') return this.finalize(res, this.orders.get(id)!, String(body.csr));
    if (kind === 'cert')
      return void res.setHeader('Content-Type', 'application/pem-certificate-chain').end(this.orders.get(id)!.certificate);
    problem(res, 404, 'malformed', 'none');
  }

  private revoke(res: ServerResponse, certificate: string, reason: unknown): void {
    const given = new X509Certificate(Buffer.from(certificate, 'base64url')).serialNumber;
    if (this.revoked.has(given)) return problem(res, 400, 'alreadyRevoked', 'done before');
    if (
      ![...this.orders.values()].some((order) => order.certificate !== '' && new X509Certificate(order.certificate).serialNumber === given)
    )
      return problem(res, 403, 'unauthorized', 'not one of ours');
    this.revoked.set(given, reason);
    send(res, 200, {});
  }

  private newOrder(res: ServerResponse, names: string[]): void {
    if (this.mood === 'busy') return problem(res.setHeader('Retry-After', '3600'), 429, 'rateLimited', 'too many orders');
    const refused = names.find((name) => this.refused.get(name) === 'rejectedIdentifier');
    if (refused) return problem(res, 400, 'rejectedIdentifier', `no ${refused}`);
    const order: Order = { id: randomBytes(6).toString('hex'), names, status: 'pending', certificate: '' };
    this.orders.set(order.id, order);
    for (const name of names)
      this.proofs.set(randomBytes(6).toString('hex'), {
        name,
        order: order.id,
        token: randomBytes(16).toString('base64url'),
        status: 'pending',
      });
    res.setHeader('Location', `${this.url}/orders/${order.id}`);
    send(res, 201, this.shown(order));
  }

  /** Validates a challenge as a real authority does: requests the key authorization from the site by its name. */
  private async look(authz: Authz): Promise<void> {
    const path = `/.well-known/acme-challenge/${authz.token}`;
    const { status, body } = await fetchAs(this.sitesPort(), authz.name, path);
    this.found.push({ name: authz.name, status, body });
    const refused = this.refused.get(authz.name);
    authz.status = refused === undefined && body.startsWith(`${authz.token}.`) ? 'valid' : 'invalid';
    if (authz.status === 'invalid')
      authz.error = { type: `urn:ietf:params:acme:error:${refused ?? 'unauthorized'}`, detail: `saw ${status}` };
    const all = [...this.proofs.values()].filter(({ order }) => order === authz.order);
    const order = this.orders.get(authz.order)!;
    if (all.some((one) => one.status === 'invalid')) order.status = 'invalid';
    else if (all.every((one) => one.status === 'valid')) order.status = 'ready';
  }

  private async finalize(res: ServerResponse, order: Order, csr: string): Promise<void> {
    const own = await this.trust.signRequest(Buffer.from(csr, 'base64url'), this.times);
    order.certificate = `${own}\n${this.trust.between}\n`;
    order.status = 'valid';
    send(res, 200, this.shown(order));
  }

  private shown({ id, names, status }: Order): object {
    const authorizations = [...this.proofs].filter(([, { order }]) => order === id).map(([proof]) => `${this.url}/authz/${proof}`);
    const identifiers = names.map((value) => ({ type: 'dns', value }));
    return {
      status,
      identifiers,
      authorizations,
      finalize: `${this.url}/finalize/${id}`,
      ...(status === 'valid' ? { certificate: `${this.url}/cert/${id}` } : {}),
    };
  }
  private shownAuthz(authz: Authz): object {
    const [id] = [...this.proofs].find(([, one]) => one === authz)!;
    const { status, token, error } = authz;
    return {
      status,
      identifier: { type: 'dns', value: authz.name },
      challenges: [{ type: 'http-01', status, url: `${this.url}/chall/${id}`, token, ...(error ? { error } : {}) }],
    };
  }
}

/** Requests a path from the sites of a panel under a host name. */
export function fetchAs(port: number, host: string, path: string): Promise<{ status: number; body: string; location?: string }> {
  return new Promise((resolve, reject) => {
    request({ port, host: '127.0.0.1', path, headers: { host } }, (res) => {
      let body = '';
      res.setEncoding('utf8').on('data', (text: string) => (body += text));
      res.on('end', () => resolve({ status: res.statusCode!, body, location: res.headers.location }));
    })
      .on('error', reject)
      .end();
  });
}

function send(res: ServerResponse, status: number, body: object): void {
  res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}
function problem(res: ServerResponse, status: number, type: string, detail: string): void {
  res
    .writeHead(status, { 'Content-Type': 'application/problem+json' })
    .end(JSON.stringify({ type: `urn:ietf:params:acme:error:${type}`, detail }));
}
