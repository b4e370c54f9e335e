import type { IncomingMessage, ServerResponse } from 'node:http';

import { applyDecorators, Get, Param, Req, Res } from '@nestjs/common';

import { Rate, addressForLimits } from '../../auth/index.js';
import { ApiOperation, ApiParam, BUSY_SECONDS, AdmissionLimiter } from '../../http/index.js';
import type { StoreItem } from '../entities/index.js';
import { StoreError } from '../errors.js';
import { PublicItems } from '../items/index.js';
import { Call, type StoreCall } from '../call/index.js';
import { ApiRequestHeaders, ApiEmpty, ApiFile, ApiPart, Id, StoreAccess, StoreController } from '../http/index.js';
import { PackageStorage } from '../packages/index.js';

import { DownloadCounter } from './download-counter.js';
import { sendPackage } from './package-answer.js';

/** Concurrent downloads, overall and per address: each holds an open file and memory for as long as the client reads. */
const DOWNLOAD_SLOTS = new AdmissionLimiter({ all: 1_000, each: 100 });
/** Documents package responses; see {@link sendPackage}. */
const ETAG = 'The SHA-256 of the package, in quotes';
const PackageAnswer = (): MethodDecorator =>
  applyDecorators(
    ApiFile('application/zip', {
      ETag: ETAG,
      'X-Checksum-Sha256': 'The SHA-256 of the package',
      'Content-Disposition': 'The file name, `<slug>-v<version>.zip`',
      'Content-Length': 'Bytes',
      'Accept-Ranges': 'bytes',
    }),
    ApiRequestHeaders({
      Range: 'A part: `bytes=0-99`',
      'If-Range': 'Returns the range only if the `ETag` still matches',
      'If-None-Match': 'The `ETag` of the client’s copy',
    }),
    ApiPart('application/zip', { 'Content-Range': 'Range and total size', ETag: ETAG }),
    ApiEmpty(304, 'Not modified', { ETag: ETAG }),
    ApiEmpty(416, 'Range not satisfiable', { 'Content-Range': 'Total size' }),
  );
const VERSION_PARAM = {
  name: 'version',
  description: 'Ignoring case',
  schema: { type: 'string', pattern: '^[0-9A-Za-z.+_-]{1,32}$' },
} as const;
const DETAILS = 'Supports a single range. Complete downloads are logged and counted.';

/** Package downloads. Unpublished packages are available to their author and administrators only and are not counted. */
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
  @ApiOperation({ summary: 'The published package', description: DETAILS })
  @PackageAnswer()
  async current(@Call() call: StoreCall, @Id() id: number, @Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    const item = await this.items.require({ id }, call.caller, 'ITEM_NOT_DOWNLOADABLE');
    await this.send(call, item, item, item.status === 'approved', req, res);
  }

  @Get(':id/versions/:version/download')
  @Rate('read')
  @StoreAccess('public', 'read')
  @ApiOperation({ summary: 'The package of a version', description: DETAILS })
  @ApiParam(VERSION_PARAM)
  @PackageAnswer()
  async version(
    @Call() call: StoreCall,
    @Id() id: number,
    @Param('version') version: string,
    @Req() req: IncomingMessage,
    @Res() res: ServerResponse,
  ): Promise<void> {
    const item = await this.items.require({ id }, call.caller, 'ITEM_NOT_DOWNLOADABLE');
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
    await DOWNLOAD_SLOTS.take(addressForLimits(ip), refusal, () =>
      sendPackage(req, res, this.storage, { sha256, fileName: `${item.slug}-v${version}.zip` }, async () => {
        if (counts) await this.counter.count({ itemId: item.id, version, userId: caller?.id ?? null, ip });
      }),
    );
  }
}
