import { createReadStream, existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hash } from 'node:crypto';

import type { DriverNode } from '../../src/hosting/index.js';

import { type LoopbackServer, type SecureLoopbackServer, serveHttp, serveHttps } from './loopback-server.js';
import { PanelDatabaseCalls } from './baota/panel-databases.js';
import { FakeDisk } from './baota/panel-disk.js';
import { PanelFileCalls } from './baota/panel-files.js';
import { type Fields, no, PanelSiteCalls, type Reply } from './baota/panel-sites.js';
import { PanelState } from './baota/panel-state.js';

/** API key of every fake. */
export const FAKE_PANEL_KEY = 'ThisIsTheBtApiSecretKey000000001';

/** Number of wrong keys after which an address is banned. */
const PATIENCE = 20;

/**
 * Fake BaoTa server on loopback, written from the description of its HTTP API, with the side effects of its calls. Tests can make it
 * misbehave.
 */
export class FakeBaota {
  readonly state = new PanelState();
  readonly disk: FakeDisk;
  readonly sites: PanelSiteCalls;
  readonly files: PanelFileCalls;
  readonly databases: PanelDatabaseCalls;
  /** Answered calls, such as `/site AddSite`, in order. */
  readonly asked: string[] = [];
  /** Number of requests with the session cookie. */
  remembered = 0;
  /** Free disk space it reports, of 40 GB. */
  free = '28G';
  /** Downloads never end, whatever size was reported; or stall after their first bytes. */
  endless = false;
  stalls = false;
  /** Whether the API is enabled. */
  isOn = true;
  /** Addresses allowed to call the API; null: all. */
  allowed: string[] | null = null;
  /** Handles a call instead of the fake if it returns true. */
  instead: ((call: string, fields: Fields, res: ServerResponse) => boolean) | null = null;
  /** Returns whether a call is done without an answer. */
  silent: ((call: string) => boolean) | null = null;
  private failures = 0;
  private server!: LoopbackServer | SecureLoopbackServer;

  private constructor(private readonly secure: boolean) {
    this.disk = new FakeDisk(mkdtempSync(join(tmpdir(), 'svc-baota-')));
    for (const path of ['/www/wwwroot', '/www/backup', '/www/wwwlogs', '/www/server/panel/vhost/rewrite', '/www/server/nginx/sbin/nginx'])
      mkdirSync(this.disk.at(path), { recursive: true });
    this.sites = new PanelSiteCalls(this.state, this.disk);
    this.files = new PanelFileCalls(this.state, this.disk);
    this.databases = new PanelDatabaseCalls(this.state, this.disk);
  }

  static async start({ secure = false } = {}): Promise<FakeBaota> {
    const fake = new FakeBaota(secure);
    fake.server = await (secure ? serveHttps : serveHttp)((req, res) => {
      const parts: Buffer[] = [];
      req.on('data', (part: Buffer) => parts.push(part));
      req.on('end', () => fake.serve(req, res, Buffer.concat(parts)));
    });
    return fake;
  }

  get port(): number {
    return this.server.port;
  }

  /** Returns this server as a node of the panel. */
  node(more: Partial<DriverNode> = {}): DriverNode {
    const { port, secure } = this;
    return { code: 'baota', address: '127.0.0.1', port, secure, panelKey: FAKE_PANEL_KEY, settings: {}, ...more };
  }

  /**
   * Replaces the TLS certificate.
   *
   * @param pair PEM
   */
  show(pair: { key: string; pem: string }): void {
    if ('show' in this.server) this.server.show(pair);
  }

  async close(): Promise<void> {
    await this.server.close();
    rmSync(this.disk.root, { recursive: true, force: true });
  }

  private serve(req: IncomingMessage, res: ServerResponse, body: Buffer): void {
    const url = new URL(req.url!, 'http://fake');
    if (url.pathname.startsWith('/down/')) return this.download(url.pathname.slice(6), req, res);
    const { fields, blob } = readForm(req, url, body);
    const call = `${url.pathname} ${fields.action ?? ''}`;
    this.asked.push(call);
    if (req.headers.cookie?.includes('BT_PANEL_6=fake-session')) this.remembered += 1;
    if (this.instead?.(call, fields, res)) return;
    const refused = this.refusal(req, fields);
    if (refused === 'login') {
      res.writeHead(302, { Location: '/login' }).end('<!doctype html>');
      return;
    }
    const answer = refused ?? this.answer(call, fields, blob);
    if (this.silent?.(call)) return;
    res.writeHead(200, { 'Content-Type': 'application/json', 'Set-Cookie': 'BT_PANEL_6=fake-session; HttpOnly; Path=/' });
    res.end(JSON.stringify(answer));
  }

  private refusal(req: IncomingMessage, { request_time, request_token }: Fields): Reply | 'login' | null {
    if (!this.isOn || request_time === undefined || request_token === undefined) return 'login';
    const ip = (req.socket.remoteAddress ?? '').replace('::ffff:', '');
    if (this.allowed && !this.allowed.includes(ip)) return no(`IP校验失败,您的访问IP为[${ip}]`);
    if (this.failures >= PATIENCE) return no('连续20次验证失败,禁止1小时');
    if (request_token === hash('md5', request_time + hash('md5', FAKE_PANEL_KEY, 'hex'), 'hex')) {
      this.failures = 0;
      return null;
    }
    this.failures += 1;
    return no('密钥校验失败');
  }

  private answer(call: string, fields: Fields, blob: Buffer | undefined): Reply {
    if (call === '/system GetSystemTotal') return { system: 'Debian GNU/Linux 12 (Py3.7.9)', version: '9.5.0', cpuNum: 2, memTotal: 2048 };
    if (call === '/system GetDiskInfo') return [{ path: '/', size: ['40G', '10G', this.free, '27%'] }];
    if (call === '/data getData') return this.getData(fields);
    this.files.watch(fields);
    const known = { ...this.sites.calls, ...this.databases.calls, ...this.files.calls }[call];
    return known ? known(fields, blob) : no('指定参数无效!');
  }

  private getData({ table = '', search = '', limit = '20', p = '1', list }: Fields): Reply {
    const rows = this.state.search(table, search);
    const data = rows.slice((Number(p) - 1) * Number(limit), Number(p) * Number(limit));
    return list === undefined ? { where: '', page: '<div></div>', data, search_history: [] } : data;
  }

  private download(token: string, req: IncomingMessage, res: ServerResponse): void {
    const link = this.state.links.get(token);
    const at = link && this.disk.at(link.path);
    if (!at || !existsSync(at)) {
      res.writeHead(404, { 'Content-Type': 'text/html' }).end('<html>404</html>');
      return;
    }
    if (this.stalls) return void res.writeHead(200).write('first');
    if (this.endless) {
      const more = (): void => {
        while (!res.destroyed && res.write(Buffer.alloc(65_536)));
      };
      res.writeHead(200).on('drain', more);
      return more();
    }
    const { size } = statSync(at);
    const start = Number(/^bytes=(\d+)-$/.exec(req.headers.range ?? '')?.[1] ?? 0);
    if (start > 0) res.writeHead(206, { 'Content-Length': size - start, 'Content-Range': `bytes ${start}-${size - 1}/${size}` });
    else res.writeHead(200, { 'Content-Length': size });
    createReadStream(at, { start }).pipe(res);
  }
}

/** Returns the fields of query and body, merged as the panel does, and the uploaded file. */
function readForm(req: IncomingMessage, url: URL, body: Buffer): { fields: Fields; blob?: Buffer } {
  const fields: Fields = Object.fromEntries(url.searchParams);
  const [, boundary] = /boundary=(.+)$/.exec(req.headers['content-type'] ?? '') ?? [];
  if (boundary === undefined) {
    const isForm = req.headers['content-type']?.includes('urlencoded');
    return { fields: { ...fields, ...(isForm ? Object.fromEntries(new URLSearchParams(body.toString())) : {}) } };
  }
  let blob: Buffer | undefined;
  for (const part of body.toString('latin1').split(`--${boundary}`).slice(1, -1)) {
    const split = part.indexOf('\r\n\r\n');
    const content = Buffer.from(part.slice(split + 4, -2), 'latin1');
    const [, name = ''] = /name="([^"]*)"/.exec(part) ?? [];
    if (part.slice(0, split).includes('filename=')) blob = content;
    else fields[name] = content.toString();
  }
  return { fields, blob };
}
