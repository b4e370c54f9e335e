import type { IncomingMessage, ServerResponse } from 'node:http';

import { Controller, Get, Param, Post, Req, Res, UseFilters } from '@nestjs/common';

import { Limited } from '../../operations/index.js';
import { Rate } from '../../auth/index.js';
import { AdmissionLimiter } from '../../http/index.js';
import { ImageFolder, sendImage } from '../../images/index.js';
import { Audited, ofCaller } from '../audit/index.js';
import { StoreError } from '../errors.js';
import { Answer, Caller, type StoreCaller, type StoreRequest } from '../call/index.js';
import { Describe, shape, StoreAccess, StoreController, StoreErrors, UploadAdmission } from '../http/index.js';

import { ImageUploads } from './image-uploads.js';

/** Pictures; each waits in memory while it is made anew, two at a time. */
const UPLOADS = {
  kind: 'image',
  places: new AdmissionLimiter({ all: 8, each: 2 }),
  reserved: new AdmissionLimiter({ all: 4, each: 2 }),
  limit: 60,
  windowSeconds: 3_600,
};
const UPLOADED = shape.record({
  url: shape.text('Its path', { pattern: '^/uploads/images/[\\w-]+\\.(jpg|png|gif|webp)$' }),
  filename: shape.text(),
});

/** Takes pictures. */
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
  @Describe({
    summary: 'Uploads a picture',
    answers: UPLOADED,
    multipart: { image: { ...shape.text('jpg, png, gif or webp, at most 5 MB'), format: 'binary' } },
    refuses: [429],
  })
  async upload(@Caller() caller: StoreCaller, @Req() req: StoreRequest): Promise<Answer> {
    return new Answer('store.image_uploaded', await this.admission.admit(caller, UPLOADS, () => this.uploads.take(caller.id, req)));
  }
}

/** Serves pictures, and nothing else of the store's files. They never change: a name is random and used once. */
@Controller('uploads/images')
@UseFilters(StoreErrors)
export class ImagesController {
  constructor(private readonly folder: ImageFolder) {}

  @Get(':name')
  @Limited('public')
  @StoreAccess('public')
  @Describe({
    summary: 'A picture that was uploaded',
    answers: 'image/*',
    headers: { ETag: 'What it is known by', 'Cache-Control': 'It never changes' },
    asks: { 'If-None-Match': 'An `ETag` from before', Range: 'A part of it' },
    others: {
      206: { description: 'The part', media: 'image/*', headers: { 'Content-Range': 'Which part' } },
      304: { description: 'The client has it' },
      416: { description: 'There is no such part', headers: { 'Content-Range': 'How much there is' } },
    },
  })
  async image(@Param('name') name: string, @Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    const path = await this.folder.find(name);
    if (!path) throw new StoreError('NOT_FOUND');
    sendImage(req, res, path);
  }
}
