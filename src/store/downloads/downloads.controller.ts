import type { IncomingMessage, ServerResponse } from 'node:http';

import { Get, Param, Req, Res } from '@nestjs/common';

import { Rate, addressForLimits } from '../../auth/index.js';
import { BUSY_SECONDS, AdmissionLimiter } from '../../http/index.js';
import type { StoreItem } from '../entities/index.js';
import { StoreError } from '../errors.js';
import { PublicItems } from '../items/index.js';
import { Call, type StoreCall } from '../call/index.js';
import { Describe, Id, StoreAccess, StoreController } from '../http/index.js';
import { PackageStorage } from '../packages/index.js';

import { DownloadCounter } from './download-counter.js';
import { sendPackage } from './package-answer.js';

/** Downloads at once, of everybody and of an address: each holds a file open and some memory for as long as its reader likes. */
const PLACES = new AdmissionLimiter({ all: 1_000, each: 100 });
/** How packages are answered; see {@link sendPackage}. */
const PACKAGE_ANSWER = {
  answers: 'application/zip',
  details: 'Knows one range. An answer with all of it is logged and counted.',
  headers: {
    ETag: 'The SHA-256 of the package, in quotes',
    'X-Checksum-Sha256': 'The SHA-256 of the package',
    'Content-Disposition': 'The file name, `<slug>-v<version>.zip`',
    'Content-Length': 'Bytes',
    'Accept-Ranges': 'bytes',
  },
  asks: {
    Range: 'A part: `bytes=0-99`',
    'If-Range': 'The part only where the `ETag` is still this',
    'If-None-Match': 'The `ETag` of what the client has',
  },
  others: {
    206: {
      description: 'The part',
      media: 'application/zip',
      headers: { 'Content-Range': 'Which part of how much', ETag: 'The SHA-256 of the package, in quotes' },
    },
    304: { description: 'The client has it', headers: { ETag: 'The SHA-256 of the package, in quotes' } },
    416: { description: 'There is no such part', headers: { 'Content-Range': 'How much there is' } },
  },
} as const;

/** Packages to download; what is not public yet is for its author and administrators, and not counted. */
@StoreController('items')
export class DownloadsController {
  constructor(
    private readonly items: PublicItems,
    private readonly storage: PackageStorage,
    private readonly counter: DownloadCounter,
  ) {}

  @Get(':id/download')
  @Rate('read')
  @StoreAccess('public', 'read')
  @Describe({ summary: 'The published package', ...PACKAGE_ANSWER })
  async current(@Call() call: StoreCall, @Id() id: number, @Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    const item = await this.items.require({ id }, call.caller, 'store.item_not_downloadable');
    await this.send(call, item, item, item.status === 'approved', req, res);
  }

  @Get(':id/versions/:version/download')
  @Rate('read')
  @StoreAccess('public', 'read')
  @Describe({ summary: 'The package of a version', ...PACKAGE_ANSWER })
  async version(
    @Call() call: StoreCall,
    @Id() id: number,
    @Param('version') version: string,
    @Req() req: IncomingMessage,
    @Res() res: ServerResponse,
  ): Promise<void> {
    const item = await this.items.require({ id }, call.caller, 'store.item_not_downloadable');
    const row = await this.items.requireVersion(item, version, call.caller);
    await this.send(call, item, row, item.status === 'approved' && row.status === 'approved', req, res);
  }

  private async send(
    { caller, ip }: StoreCall,
    item: StoreItem,
    { version, sha256 }: { version: string; sha256: string },
    counts: boolean,
    req: IncomingMessage,
    res: ServerResponse,
  ): Promise<void> {
    const refusal = (): StoreError => new StoreError('SERVER_BUSY', { seconds: BUSY_SECONDS });
    await PLACES.take(addressForLimits(ip), refusal, () =>
      sendPackage(req, res, this.storage, { sha256, fileName: `${item.slug}-v${version}.zip` }, async () => {
        if (counts) await this.counter.count({ itemId: item.id, version, userId: caller?.id ?? null, ip });
      }),
    );
  }
}
