import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import send from 'send';

import { chooseLocale, loggerFor, translate } from '../../common/index.js';
import { ClientAddress } from '../../auth/index.js';
import { AppConfig } from '../../config/index.js';
import { HttpServer } from '../../http/index.js';
import { PLAIN_PAGE_POLICY, plainPage, SiteFolders } from '../embedded/index.js';

import '../texts.js';

import { decodedPath, folderInside, openInside } from './safe-file.js';
import { SiteLookup } from './site-lookup.js';
import { SitesAddress } from '../sites-address.js';
import { TrafficMeter } from '../traffic/index.js';

const log = loggerFor('sites');
/** How long open connections may go on when the server stops. */
const CLOSE_GRACE_MS = 2_000;

type Notice =
  | 'site_unknown'
  | 'site_paused'
  | 'site_stopped'
  | 'site_expired'
  | 'site_provisioning'
  | 'site_traffic'
  | 'page_missing'
  | 'file_private'
  | 'method'
  | 'server_error';

/** Serves the sites of the embedded node by host name, on a port of its own: no cookie of the panel ever comes here. */
@Injectable()
export class SitesServer implements BeforeApplicationShutdown {
  private sites: HttpServer | null = null;

  constructor(
    private readonly config: AppConfig,
    private readonly folders: SiteFolders,
    private readonly lookup: SiteLookup,
    private readonly address: SitesAddress,
    private readonly addresses: ClientAddress,
    private readonly meter: TrafficMeter,
  ) {}

  /** Port it listens on; the configured one before. */
  get port(): number {
    return this.address.port;
  }

  /** Removes what creations that never ended left in the folder of sites, then listens. */
  async start(): Promise<void> {
    await this.folders.removeAbandoned();
    const handle = (request: IncomingMessage, response: ServerResponse): void => {
      this.answer(request, response).catch((error: unknown) => {
        log.error({ err: error, host: request.headers.host }, 'a site could not be served');
        if (response.headersSent) response.destroy();
        else this.notice(request, response, 500, 'server_error');
      });
    };
    this.sites = new HttpServer(handle, { isProxy: (address) => this.addresses.isProxy(address) });
    const { server } = this.sites;
    server.listen(this.config.sitesPort, this.config.host);
    await once(server, 'listening');
    this.meter.start();
    this.address.listening((server.address() as AddressInfo).port);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.sites?.close(CLOSE_GRACE_MS);
    this.sites = null;
    await this.meter.stop();
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('X-Content-Type-Options', 'nosniff');
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('Allow', 'GET, HEAD');
      return this.notice(request, response, 405, 'method');
    }
    const site = await this.lookup.byHost(request.headers.host);
    if (site.kind === 'unknown') return this.notice(request, response, 404, 'site_unknown');
    this.meter.count(site.accountId, request, response);
    if (site.kind !== 'open') {
      response.setHeader('Retry-After', site.kind === 'provisioning' ? '5' : '3600');
      return this.notice(request, response, 503, `site_${site.kind}`);
    }
    const webRoot = await this.folders.webRoot(site.siteName);
    const root = webRoot === null ? null : await folderInside(webRoot, site.folder);
    const path = decodedPath(request.url ?? '/');
    const file = root === null || path === null ? null : await openInside(root, path);
    if (root === null || path === null || file === null) return this.notice(request, response, 404, 'page_missing');
    if (file === 'private') return this.notice(request, response, 403, 'file_private');
    if (file !== 'folder')
      response.once(
        'close',
        () => void file.close().catch((error: unknown) => log.warn({ err: error }, 'a file of a site could not be closed')),
      );
    send(request, encodeURI(path).replaceAll('?', '%3F').replaceAll('#', '%23'), {
      root,
      // What may be sent was decided above; of hidden names that is `.well-known` alone.
      dotfiles: 'allow',
      index: ['index.html'],
      cacheControl: false,
      // What was opened here is what is sent, not whatever has the name by then.
      ...(file === 'folder' ? {} : { fd: file }),
    })
      .on('error', (error: { status?: number }) => {
        const [status, notice] = error.status === 500 ? ([500, 'server_error'] as const) : ([404, 'page_missing'] as const);
        this.notice(request, response, status, notice);
      })
      .pipe(response);
  }

  private notice(request: IncomingMessage, response: ServerResponse, status: number, notice: Notice): void {
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const locale = chooseLocale(undefined, undefined, request.headers['accept-language']);
    const page = plainPage(locale, translate(locale, `hosting.${notice}_title`), translate(locale, `hosting.${notice}_text`));
    response.writeHead(status, {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Length': Buffer.byteLength(page),
      'Content-Security-Policy': PLAIN_PAGE_POLICY,
      'Cache-Control': 'no-store',
      Vary: 'Accept-Language',
    });
    response.end(request.method === 'HEAD' ? undefined : page);
  }
}
