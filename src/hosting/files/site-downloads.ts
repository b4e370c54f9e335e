import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';

import { Injectable } from '@nestjs/common';

import { AppError } from '../../common/index.js';
import { type OpenedFile, sendFile, sendLocalRedirect } from '../../http/index.js';
import { callOf, type RequestContext } from '../../operations/index.js';
import { SiteAccess } from '../site-tools/index.js';

import { callerOf } from './caller.js';
import { FileLinks, type LinkedFile } from './file-links.js';

/** Something of a site that somebody takes along. */
export interface SiteDownload {
  readonly name: string;
  /** Any bytes where it is not given. */
  readonly type?: string;
  readonly bytes: number;
  /** All of it; or what opens it at a byte or before, for {@link version}. */
  readonly content: Readable | ((from: number) => Promise<OpenedFile>);
  /** Says that it is the same one, such as its checksum: who was interrupted goes on where he stopped. */
  readonly version?: string;
}

/** Request for a download by link. */
export interface DownloadRequest {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly call: RequestContext;
}

/** One kind of downloads. */
export interface DownloadKind {
  /** The page links of this kind stand on, of each side: the last part of its address. */
  readonly pages: Readonly<Record<'admin' | 'user', string>>;
  /** What that page is asked for where a link leads back to it, besides its host. */
  readonly shown?: (path: string) => Readonly<Record<string, string>>;
  /** Links of this kind work until they end, for downloads somebody goes on with; all others once. */
  readonly keeps?: boolean;
  /** @throws AppError for what is gone meanwhile, and for a link of another kind */
  readonly open: (link: LinkedFile, request: DownloadRequest) => Promise<SiteDownload>;
}

/**
 * The one answer to links that download something. Who has none that works, or one to what is gone meanwhile, is led back to where they
 * are. What is sent is a stranger's: it is saved, and never shown as a page.
 */
@Injectable()
export class SiteDownloads {
  constructor(
    private readonly links: FileLinks,
    private readonly sites: SiteAccess,
  ) {}

  async answer(req: IncomingMessage, res: ServerResponse, { pages, shown, keeps, open }: DownloadKind): Promise<void> {
    const call = callOf(req)!;
    const side = call.scope === 'admin' ? 'admin' : 'user';
    const link = await this.links[keeps ? 'look' : 'redeem'](call.query.t ?? '', callerOf(call));
    if (!link || (side === 'user' && link.accountId !== call.user?.id))
      return sendLocalRedirect(res, side === 'user' ? `/user/${pages.user}` : '/admin/hosts');
    try {
      // An administrator's servers may be others since he asked for a link that works for hours.
      if (keeps) await this.sites.of({ id: link.accountId }, call, 'look');
      const { name, type = 'application/octet-stream', bytes, version, content } = await open(link, { req, res, call });
      const opened = typeof content === 'function' ? content : () => Promise.resolve({ content });
      await sendFile(req, res, { type, disposition: dispositionOf(name), size: bytes, version, open: opened });
    } catch (error) {
      if (!(error instanceof AppError) || res.headersSent) throw error;
      const asked = new URLSearchParams({ ...(side === 'admin' ? { id: String(link.accountId) } : {}), ...shown?.(link.path) });
      sendLocalRedirect(res, `/${side}/${pages[side]}${asked.size === 0 ? '' : `?${asked}`}`);
    }
  }
}

function dispositionOf(name: string): string {
  const plain = name.replace(/[^ -~]|["\\%]/g, '_');
  return `attachment; filename="${plain}"${plain === name ? '' : `; filename*=UTF-8''${encodeName(name)}`}`;
}

/** As https://www.rfc-editor.org/rfc/rfc8187 has it. */
function encodeName(name: string): string {
  return encodeURIComponent(name).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}
