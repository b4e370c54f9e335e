import { join } from 'node:path';

import { Injectable } from '@nestjs/common';

import { HOUR_MS } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import { ImageFolder, ImageRefusal, reencodeImage } from '../../images/index.js';

import { DeployError } from './deploy-errors.js';

/** URL path below which pictures of programs are served. */
export const PROGRAM_PICTURES_PATH = '/uploads/programs/';
/** Maximum number of pictures per program. */
export const MAX_PICTURES = 6;
/** Maximum width and height in pixels; larger pictures are scaled down. */
const MAX_PIXELS = 1_280;
/** Form field of the uploads. Source: spec ajax.md 7. */
const FIELD = 'imgfile[]';
/** How long an unused picture is kept, in milliseconds: its program may be about to be saved. */
const UNNAMED_MS = HOUR_MS;

/** Stores the pictures of programs in `DATA_DIR/program-pictures`, re-encoded from their pixels. Rows contain their URLs. */
@Injectable()
export class ProgramPictures {
  private readonly folder: ImageFolder;

  constructor(config: AppConfig) {
    this.folder = new ImageFolder(join(config.dataDir, 'program-pictures'));
  }

  /**
   * Stores the pictures uploaded with a request.
   *
   * @param present how many the program has already
   * @returns URLs @throws DeployError PICTURE
   */
  async keep(
    files: readonly { readonly fieldname: string; readonly size: number; readonly buffer: Buffer }[],
    present: number,
  ): Promise<string[]> {
    const sent = files.filter(({ fieldname, size }) => fieldname === FIELD && size > 0);
    return this.add(
      sent.map(({ buffer }) => buffer),
      present,
    );
  }

  /** As {@link keep}, for pictures from another source. @throws DeployError PICTURE */
  async add(bytes: readonly Buffer[], present = 0): Promise<string[]> {
    if (bytes.length + present > MAX_PICTURES) throw refusal({ key: 'deploy.pictures_most', params: { n: MAX_PICTURES } });
    const images = await Promise.all(bytes.map((one) => reencodeImage(one, { within: MAX_PIXELS }))).catch((error: unknown) => {
      throw error instanceof ImageRefusal ? refusal(error.told) : error;
    });
    for (const image of images) await this.folder.save(image);
    return images.map(({ name }) => PROGRAM_PICTURES_PATH + name);
  }

  /** Absolute path of a picture; null if not found. */
  find(name: string): Promise<string | null> {
    return this.folder.find(name);
  }

  /** Absolute path of a picture by its URL; null if it is stored elsewhere or missing. */
  pathTo(address: string): Promise<string | null> {
    return address.startsWith(PROGRAM_PICTURES_PATH) ? this.find(address.slice(PROGRAM_PICTURES_PATH.length)) : Promise.resolve(null);
  }

  /** Deletes pictures that no program uses. @returns how many */
  sweep(addresses: ReadonlySet<string>): Promise<number> {
    return this.folder.sweep((name) => addresses.has(PROGRAM_PICTURES_PATH + name), UNNAMED_MS);
  }
}

function refusal(why: { key: string; params?: DeployError['params'] }): DeployError {
  return new DeployError('PICTURE', { why }, { [FIELD]: why });
}
