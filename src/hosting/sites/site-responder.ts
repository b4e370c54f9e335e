import type { IncomingMessage, ServerResponse } from 'node:http';
import { join, relative } from 'node:path';

import { Injectable } from '@nestjs/common';

import { addressForLimits, ClientAddress } from '../../auth/index.js';
import type { FolderPassword, WebSettingsState } from '../driver/index.js';
import { SiteFolders } from '../embedded/index.js';
import { SitesAddress } from '../sites-address.js';

import { cacheControl, hotlinkVerdict } from './file-rules.js';
import { FileSender } from './file-sender.js';
import { FolderPasswords, liesIn } from './folder-passwords.js';
import { redirectFor } from './redirects.js';
import { decodedPath, folderInside, isPrivate, openRegular, resolveInside } from './safe-file.js';
import { type FoundSite, SiteLookup } from './site-lookup.js';
import { type Notice, sendNotice } from './site-notice.js';
import { SiteCertificates } from './site-certificates.js';
import { PROOFS, SiteProofs } from './site-proofs.js';
import { SiteRules } from './site-rules.js';

/** Maximum size of a custom error page, in bytes. */
const LARGEST_PAGE = 256 * 1_024;

/** A request for an existing site. */
interface Visit {
  readonly site: FoundSite;
  readonly settings: WebSettingsState;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Served folder, below the web root and without surrounding slashes. */
  readonly folder: string;
}

/** Responds to requests for a site, according to its settings. */
@Injectable()
export class SiteResponder {
  private readonly sender = new FileSender();

  constructor(
    private readonly folders: SiteFolders,
    private readonly lookup: SiteLookup,
    private readonly rules: SiteRules,
    private readonly passwords: FolderPasswords,
    private readonly addresses: ClientAddress,
    private readonly proofs: SiteProofs,
    private readonly certificates: SiteCertificates,
    private readonly address: SitesAddress,
  ) {}

  async answer(site: FoundSite, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '/';
    // ACME challenges are answered regardless of the site's settings and state.
    const proof = path.startsWith(PROOFS) ? await this.proofs.answerTo(site.accountId, site.name, path) : null;
    if (proof !== null) return sendProof(request, response, proof);
    if (site.forceHttps && (await this.toHttps(site, request, response))) return;
    const { accountId, settingsVersion } = site;
    const settings = this.rules.known(accountId, settingsVersion) ?? (await this.rules.of(accountId, settingsVersion));
    const visit: Visit = { site, settings, request, response, folder: site.folder || settings.runFolder };
    if (site.kind === 'open') return this.serve(visit);
    response.setHeader('Retry-After', site.kind === 'provisioning' ? '5' : '3600');
    // A site out of service shows none of its files; a stopped one may show its own error page.
    if (site.kind === 'stopped' || site.kind === 'traffic') return this.refuse(visit, 503, `site_${site.kind}`);
    sendNotice(request, response, 503, `site_${site.kind}`);
  }

  /** @returns whether the visitor was redirected to `https://`, which happens only if the name is served over TLS */
  private async toHttps(site: FoundSite, request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    if (site.certificateVersion === null || this.addresses.isSecure(request)) return false;
    const path = request.url ?? '/';
    if (!path.startsWith('/') || path.startsWith(PROOFS)) return false;
    const target = this.address.secureUrlOfName(site.name, path);
    if (target === null || !(await this.certificates.serves(site.accountId, site.certificateVersion, site.name))) return false;
    response.writeHead(301, { Location: target, 'Cache-Control': 'no-cache', 'Content-Length': 0 }).end();
    return true;
  }

  private async serve(visit: Visit): Promise<void> {
    const { request, settings } = visit;
    const decoded = decodedPath(request.url ?? '/');
    if (decoded === null) return this.refuse(visit, 404, 'page_missing');
    const path = decoded.replace(/\/{2,}/g, '/');
    const isProof = path.startsWith(PROOFS);
    if (!isProof) {
      if (this.redirect(visit, path)) return;
      const needed = this.needed(settings, join(visit.folder, path).replace(/^\/+|\/+$/g, ''));
      if (needed.length > 0 && !(await this.admit(visit, needed))) return;
      const verdict = hotlinkVerdict(settings.hotlink, path, request.headers.referer);
      if (verdict !== 'fine' && !(await this.mayShow(visit, verdict))) return;
    }
    await this.file(visit, path, isProof);
  }

  private async file(visit: Visit, path: string, isProof: boolean): Promise<void> {
    const { site, settings, request, folder } = visit;
    const hasPasswords = settings.passwords.length > 0;
    const requested = path.endsWith('/') ? `${path}${settings.indexes[0]}` : path;
    // With passwords or a range, the path is always resolved again instead of using the cache.
    const key =
      hasPasswords || isPrivate(requested) || request.headers.range !== undefined ? null : `${site.siteName}/${folder}:${requested}`;
    const isPlain = key !== null && !requested.split('/').some((part) => part === '.' || part === '..');
    const known = isPlain ? this.sender.known(key, join(this.folders.publicFolder(site.siteName), folder, requested)) : null;
    if (known) return this.sender.sendKnown(known, this.sending(visit, known.path, false));
    const webRoot = await this.folders.webRoot(site.siteName);
    const root = webRoot === null ? null : await folderInside(webRoot, folder);
    const found = root === null ? null : await resolveInside(root, path, settings.indexes);
    if (webRoot === null || root === null || found === null) return this.refuse(visit, 404, 'page_missing');
    if (found.kind === 'private') return this.refuse(visit, 403, 'file_private');
    if (found.kind !== 'file') return this.toFolder(visit, path);
    // A symbolic link may point into a folder that requires a password.
    const needed = isProof ? [] : this.needed(settings, relative(webRoot, found.path));
    if (needed.length > 0 && !(await this.admit(visit, needed))) return;
    const isFirst = !path.endsWith('/') || found.path.endsWith(`/${settings.indexes[0]}`);
    const sent = await this.sender.send(found.path, isPlain && isFirst ? key : null, this.sending(visit, found.path, needed.length > 0));
    if (!sent) await this.refuse(visit, 404, 'page_missing');
  }

  private sending({ request, response, settings }: Visit, path: string, isSecret: boolean) {
    return { request, response, compression: settings.compression, cacheControl: cacheControl(settings.cache, path, isSecret) };
  }

  /** @returns whether the visitor was redirected */
  private redirect({ settings, request, response }: Visit, path: string): boolean {
    const found = redirectFor(settings.redirects, path);
    if (!found) return false;
    const [, query] = /^[^?]*(\?[^#]*)/.exec(request.url ?? '') ?? [];
    const target = found.to.startsWith('/') ? ownAddress(found.to) : new URL(found.to).href;
    const withQuery = query !== undefined && !target.includes('?') ? `${target}${query}` : target;
    response.writeHead(found.status, { Location: withQuery, 'Cache-Control': 'no-cache', 'Content-Length': 0 }).end();
    return true;
  }

  private toFolder({ request, response }: Visit, path: string): void {
    const [, query = ''] = /^[^?]*(\?[^#]*)/.exec(request.url ?? '') ?? [];
    response.writeHead(301, { Location: `${location(`${path}/`)}${query}`, 'Content-Length': 0 }).end();
  }

  /** Returns the passwords accepted for a path below the web root: those of the innermost protected folder. */
  private needed({ passwords }: WebSettingsState, path: string): readonly FolderPassword[] {
    const around = passwords.filter(({ folder }) => liesIn(folder, path));
    const depth = Math.max(...around.map(({ folder }) => folder.length));
    return around.filter(({ folder }) => folder.length === depth);
  }

  private async admit(visit: Visit, needed: readonly FolderPassword[]): Promise<boolean> {
    const { site, request, response } = visit;
    const network = addressForLimits(this.addresses.of(request));
    const verdict = await this.passwords.check(site.accountId, needed, request.headers.authorization, network);
    if (verdict === 'in') return true;
    if (verdict === 'ask') {
      response.setHeader('WWW-Authenticate', 'Basic realm="Restricted", charset="UTF-8"');
      sendNotice(request, response, 401, 'folder_password');
    } else {
      response.setHeader('Retry-After', String(verdict));
      sendNotice(request, response, 429, 'folder_wait');
    }
    return false;
  }

  /** Returns whether a file may be embedded by the referring site; other names of the same site are always allowed. */
  private async mayShow(visit: Visit, verdict: 'refused' | { readonly host: string }): Promise<boolean> {
    const { settings, site } = visit;
    if (verdict !== 'refused') {
      const from = await this.lookup.byHost(verdict.host);
      if (from.kind !== 'unknown' && from.accountId === site.accountId) return true;
    }
    await this.refuse(visit, settings.hotlink.status, 'file_hotlink');
    return false;
  }

  /** Sends the site's own error page, or the panel's. */
  private async refuse(visit: Visit, status: 403 | 404 | 503, notice: Notice): Promise<void> {
    const { request, response, settings } = visit;
    const page = await this.ownPage(visit, settings.errorPages[String(status) as '404']);
    if (page === null) return sendNotice(request, response, status, notice);
    response.writeHead(status, { 'Content-Type': 'text/html; charset=utf-8', 'Content-Length': page.length, 'Cache-Control': 'no-store' });
    response.end(request.method === 'HEAD' ? undefined : page);
  }

  private async ownPage({ site, settings }: Visit, path: string | undefined): Promise<Buffer | null> {
    const webRoot = path === undefined ? null : await this.folders.webRoot(site.siteName);
    const found = webRoot === null ? null : await resolveInside(webRoot, path!, settings.indexes);
    if (found?.kind !== 'file') return null;
    const handle = await openRegular(found.path);
    if (handle === null) return null;
    try {
      return (await handle.stat()).size <= LARGEST_PAGE ? await handle.readFile() : null;
    } finally {
      await handle.close();
    }
  }
}

function sendProof(request: IncomingMessage, response: ServerResponse, proof: string): void {
  response.writeHead(200, {
    'Content-Type': 'application/octet-stream',
    'Content-Length': Buffer.byteLength(proof),
    'Cache-Control': 'no-store',
  });
  response.end(request.method === 'HEAD' ? undefined : proof);
}

/** Encodes a path of the same site for `Location`, never as the start of an address elsewhere. */
function location(path: string): string {
  return encodeURI(path.replace(/^[/\\]+/, '/')).replace(/[?#]/g, encodeURIComponent);
}

/** Encodes an address on the same site as written by its owner, never as the start of an address elsewhere. */
function ownAddress(to: string): string {
  const { pathname, search, hash } = new URL(to.replace(/^[/\\]+/, '/'), 'http://site.invalid');
  return `${pathname.replace(/^\/+/, '/')}${search}${hash}`;
}
