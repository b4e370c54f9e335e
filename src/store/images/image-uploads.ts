import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';

import { Injectable } from '@nestjs/common';

import { Clock } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { StoreImage } from '../entities/index.js';
import { readMultipart } from '../http/index.js';
import { StorageError } from '../packages/index.js';
import { UploadRefusals } from '../uploads/upload-refusals.js';

import { ImageFolder } from './image-folder.js';
import { ImageRefusal } from './image-refusal.js';
import { IMAGE_LIMITS, reencodeImage } from './reencode-image.js';

/** Where pictures are served. */
export const IMAGES_PATH = '/uploads/images/';

/** Takes pictures in: what is kept is made anew from their pixels. */
@Injectable()
export class ImageUploads {
  constructor(
    private readonly database: Database,
    private readonly folder: ImageFolder,
    private readonly refusals: UploadRefusals,
    private readonly clock: Clock,
  ) {}

  /** The picture in the field `image`. @throws ImageRefusal, StoreError */
  take(userId: number, req: IncomingMessage): Promise<{ url: string; filename: string }> {
    return this.refusals.counting(() => this.keep(userId, req));
  }

  private async keep(userId: number, req: IncomingMessage): Promise<{ url: string; filename: string }> {
    const { file } = await readMultipart<Buffer>(req, {
      field: 'image',
      maxBytes: IMAGE_LIMITS.bytes,
      tooLarge: () => new ImageRefusal('TOO_LARGE'),
      receive: collect,
      discard: async () => undefined,
    });
    if (!file) throw new ImageRefusal('MISSING');
    const image = await reencodeImage(file);
    // The row first: whose a picture is is known as long as it is there.
    await this.database.repository(StoreImage).insert({ name: image.name, userId, size: image.data.length, createdAt: this.clock.now() });
    await this.folder.save(image);
    return { url: IMAGES_PATH + image.name, filename: image.name };
  }
}

async function collect(stream: Readable, signal: AbortSignal): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  const stop = (): void => void stream.destroy(new StorageError('ABORTED', 'the upload broke off'));
  signal.addEventListener('abort', stop, { once: true });
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > IMAGE_LIMITS.bytes) throw new StorageError('TOO_LARGE', 'a picture');
      chunks.push(chunk);
    }
    return Buffer.concat(chunks, size);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
