import type { IncomingMessage, ServerResponse } from 'node:http';

import { Controller, Get, Param, Post, Req, Res, UseFilters } from '@nestjs/common';

import { Rate } from '../../auth/index.js';
import { AdmissionLimiter, ApiBody, ApiConsumes, ApiOperation, ApiParam, ApiProperty, ApiTags, Limited } from '../../http/index.js';
import { ImageFolder, sendImage } from '../../images/index.js';
import { Audited, ofCaller } from '../audit/index.js';
import { StoreError } from '../errors.js';
import { Answer, Caller, type StoreCaller, type StoreRequest } from '../call/index.js';
import {
  ApiRequestHeaders,
  ApiData,
  ApiEmpty,
  ApiErrors,
  ApiFile,
  ApiPart,
  FILE,
  StoreAccess,
  StoreController,
  StoreErrors,
  UploadAdmission,
} from '../http/index.js';

import { ImageUploads } from './image-uploads.js';

/** Picture upload limits; each picture waits in memory for re-encoding, which runs two at a time. */
const UPLOADS = {
  kind: 'image',
  slots: new AdmissionLimiter({ all: 8, each: 2 }),
  reserved: new AdmissionLimiter({ all: 4, each: 2 }),
  limit: 60,
  windowSeconds: 3_600,
};
/** A form with a picture. */
class ImageForm {
  @ApiProperty({ ...FILE, description: 'jpg, png, gif or webp, at most 5 MB' })
  image!: string;
}

/** A stored picture. */
class UploadedImage {
  @ApiProperty({ description: 'Its path', pattern: '^/uploads/images/[\\w-]+\\.(jpg|png|gif|webp)$' }) url!: string;
  @ApiProperty() filename!: string;
}

/** Endpoint for picture uploads. */
@StoreController('upload')
export class ImageUploadController {
  constructor(
    private readonly uploads: ImageUploads,
    private readonly admission: UploadAdmission,
  ) {}

  @Post('image')
  @Rate('write')
  @StoreAccess('user', 'publish')
  @Audited('image.upload', (done) => ({ ...ofCaller(done)!, detail: { file: done.data.filename } }))
  @ApiOperation({ summary: 'Uploads a picture' })
  @ApiData(UploadedImage)
  @ApiConsumes('multipart/form-data')
  @ApiBody({ type: ImageForm })
  @ApiErrors(429)
  async upload(@Caller() caller: StoreCaller, @Req() req: StoreRequest): Promise<Answer> {
    return new Answer('store.image_uploaded', await this.admission.admit(caller, UPLOADS, () => this.uploads.take(caller.id, req)));
  }
}

/** Serves uploaded pictures and no other files. They are immutable: a name is random and used once. */
@Controller('uploads/images')
@ApiTags('uploads')
@UseFilters(StoreErrors)
export class ImagesController {
  constructor(private readonly folder: ImageFolder) {}

  @Get(':name')
  @Limited('public')
  @StoreAccess('public')
  @ApiOperation({ summary: 'An uploaded image' })
  @ApiFile('image/*', { ETag: 'Version of the content', 'Cache-Control': 'The content never changes' })
  @ApiRequestHeaders({ 'If-None-Match': 'A previous `ETag`', Range: 'A byte range' })
  @ApiParam({ name: 'name', description: 'File name as returned by the upload', schema: { type: 'string' } })
  @ApiPart('image/*', { 'Content-Range': 'Which part' })
  @ApiEmpty(304, 'Not modified')
  @ApiEmpty(416, 'Range not satisfiable', { 'Content-Range': 'Total size' })
  async image(@Param('name') name: string, @Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    const path = await this.folder.find(name);
    if (!path) throw new StoreError('NOT_FOUND');
    sendImage(req, res, path);
  }
}
