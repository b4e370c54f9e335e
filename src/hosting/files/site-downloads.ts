import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';

import { Injectable } from '@nestjs/common';

import { AppError } from '../../common/index.js';
import { callOf, type RequestContext, sendLocalRedirect, sendRouteResult } from '../../operations/index.js';

import { callerOf } from './caller.js';
import { FileLinks, type LinkedFile } from './file-links.js';

/** Something of a site that somebody takes along. */
export interface SiteDownload {
  readonly name: string;
  /** Any bytes where it is not given. */
  readonly type?: string;
  readonly bytes: number;
  readonly content: Readable;
}

/** Who follows a link, and with what. */
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
  /** @throws AppError for what is gone meanwhile, and for a link of another kind */
  readonly open: (link: LinkedFile, request: DownloadRequest) => Promise<SiteDownload>;
}

/**
 * The one answer to links that work once. Who has none that works, or one to what is gone meanwhile, is led back to where they are.
 * What is sent is a stranger's: it is saved, and never shown as a page.
 */
@Injectable()
export class SiteDownloads {
  constructor(private readonly links: FileLinks) {}

  async answer(req: IncomingMessage, res: ServerResponse, { pages, shown, open }: DownloadKind): Promise<void> {
    const call = callOf(req)!;
    const side = call.scope === 'admin' ? 'admin' : 'user';
    const link = await this.links.redeem(call.query.t ?? '', callerOf(call));
    if (!link || (side === 'user' && link.accountId !== call.user?.id))
      return sendLocalRedirect(res, side === 'user' ? `/user/${pages.user}` : '/admin/hosts');
    try {
      const download = await open(link, { req, res, call });
      await sendRouteResult(res, { headers: headersOf(download), body: download.content }, call);
    } catch (error) {
      if (!(error instanceof AppError) || res.headersSent) throw error;
      const asked = new URLSearchParams({ ...(side === 'admin' ? { id: String(link.accountId) } : {}), ...shown?.(link.path) });
      sendLocalRedirect(res, `/${side}/${pages[side]}${asked.size === 0 ? '' : `?${asked}`}`);
    }
  }
}

function headersOf({ name, type = 'application/octet-stream', bytes }: SiteDownload): Record<string, string> {
  const plain = name.replace(/[^ -~]|["\\%]/g, '_');
  return {
    'Content-Type': type,
    'Content-Disposition': `attachment; filename="${plain}"${plain === name ? '' : `; filename*=UTF-8''${encodeName(name)}`}`,
    'Content-Length': String(bytes),
    'Content-Security-Policy': "sandbox; default-src 'none'",
  };
}

/** As https://www.rfc-editor.org/rfc/rfc8187 has it. */
function encodeName(name: string): string {
  return encodeURIComponent(name).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}
