import { Injectable } from '@nestjs/common';

import { Clock } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { collected } from '../../http/index.js';
import { IMAGE_LIMITS, ImageFolder, ImageRefusal, reencodeImage } from '../../images/index.js';
import { StoreImage } from '../entities/index.js';
import type { StoreRequest } from '../call/index.js';
import { readFileForm } from '../http/index.js';
import { UploadRefusals } from '../uploads/index.js';

/** URL path prefix of pictures. */
export const IMAGES_PATH = '/uploads/images/';

/** Accepts picture uploads; stored files are re-encoded from the pixels. */
@Injectable()
export class ImageUploads {
  constructor(
    private readonly database: Database,
    private readonly folder: ImageFolder,
    private readonly refusals: UploadRefusals,
    private readonly clock: Clock,
  ) {}

  /** Stores the picture from the field `image`. @throws ImageRefusal, StoreError */
  take(userId: number, req: StoreRequest): Promise<{ url: string; filename: string }> {
    return this.refusals.counting(() => this.store(userId, req));
  }

  private async store(userId: number, req: StoreRequest): Promise<{ url: string; filename: string }> {
    const tooLarge = (): Error => new ImageRefusal('TOO_LARGE');
    const { file } = await readFileForm<Buffer>(req, {
      field: 'image',
      maxBytes: IMAGE_LIMITS.bytes,
      tooLarge,
      inMemory: true,
      receive: collected(IMAGE_LIMITS.bytes, tooLarge),
    });
    if (!file) throw new ImageRefusal('MISSING');
    const image = await reencodeImage(file);
    // Insert the row first, so that every stored picture has an owner.
    await this.database.repository(StoreImage).insert({ name: image.name, userId, size: image.data.length, createdAt: this.clock.now() });
    await this.folder.save(image);
    return { url: IMAGES_PATH + image.name, filename: image.name };
  }
}
