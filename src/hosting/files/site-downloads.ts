import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';

import { Injectable } from '@nestjs/common';

import { AppError } from '../../common/index.js';
import { type OpenedFile, sendFile, sendLocalRedirect } from '../../http/index.js';
import { callOf, type RequestContext } from '../../operations/index.js';
import { SiteAccess } from '../site-tools/index.js';

import { callerOf } from './caller.js';
import { FileLinks, type LinkedFile } from './file-links.js';

/** Content of a site that is downloaded. */
export interface SiteDownload {
  readonly name: string;
  /** Media type; arbitrary bytes if omitted. */
  readonly type?: string;
  readonly bytes: number;
  /** The whole content; or a function that opens it at or before an offset, for resumable downloads with {@link version}. */
  readonly content: Readable | ((from: number) => Promise<OpenedFile>);
  /** Identifies the content, such as its checksum, so that an interrupted download can be resumed. */
  readonly version?: string;
}

/** Request for a download by link. */
export interface DownloadRequest {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly call: RequestContext;
}

/** A kind of download. */
export interface DownloadKind {
  /** Pages with links of this kind, per side: the last part of their URL. */
  readonly pages: Readonly<Record<'admin' | 'user', string>>;
  /** Query parameters of that page when a link redirects back to it, besides the host. */
  readonly shown?: (path: string) => Readonly<Record<string, string>>;
  /** Links of this kind are reusable until they expire, for resumable downloads; all others are single-use. */
  readonly keeps?: boolean;
  /** @throws AppError for content that is gone, and for a link of another kind */
  readonly open: (link: LinkedFile, request: DownloadRequest) => Promise<SiteDownload>;
}

/**
 * Handles all download links. An invalid link, or one to missing content, redirects to the page with the links. Content is untrusted: it is
 * sent as an attachment and never displayed as a page.
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
    const link = await this.links[keeps ? 'peek' : 'redeem'](call.query.t ?? '', callerOf(call));
    if (!link || (side === 'user' && link.accountId !== call.user?.id))
      return sendLocalRedirect(res, side === 'user' ? `/user/${pages.user}` : '/admin/hosts');
    try {
      // The administrator's servers may have changed since the link, which is valid for hours, was issued.
      if (keeps) await this.sites.of({ id: link.accountId }, call, 'read');
      const { name, type = 'application/octet-stream', bytes, version, content } = await open(link, { req, res, call });
      const opened = typeof content === 'function' ? content : () => Promise.resolve({ content });
      await sendFile(req, res, { type, disposition: dispositionOf(name), size: bytes, version, open: opened });
    } catch (error) {
      if (!(error instanceof AppError) || res.headersSent) throw error;
      const query = new URLSearchParams({ ...(side === 'admin' ? { id: String(link.accountId) } : {}), ...shown?.(link.path) });
      sendLocalRedirect(res, `/${side}/${pages[side]}${query.size === 0 ? '' : `?${query}`}`);
    }
  }
}

function dispositionOf(name: string): string {
  const plain = name.replace(/[^ -~]|["\\%]/g, '_');
  return `attachment; filename="${plain}"${plain === name ? '' : `; filename*=UTF-8''${encodeName(name)}`}`;
}

/** Encodes a name as in https://www.rfc-editor.org/rfc/rfc8187. */
function encodeName(name: string): string {
  return encodeURIComponent(name).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}
