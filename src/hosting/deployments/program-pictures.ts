import { join } from 'node:path';

import { Injectable } from '@nestjs/common';

import { HOUR_MS } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import { ImageFolder, ImageRefusal, reencodeImage } from '../../images/index.js';

import { DeployError } from './deploy-errors.js';

/** Path below which pictures of programs are served. */
export const PROGRAM_PICTURES_PATH = '/uploads/programs/';
/** Most pictures of a program. */
export const MOST_PICTURES = 6;
/** Most pixels of a side: larger ones are made smaller. */
const MOST_PIXELS = 1_280;
/** The field they come in. Source: spec ajax.md 7. */
const FIELD = 'imgfile[]';
/** What no program names is left alone for so long: it may be on its way there. */
const UNNAMED_MS = HOUR_MS;

/** Pictures of programs: files of `DATA_DIR/program-pictures`, made anew from their pixels. Rows have their addresses. */
@Injectable()
export class ProgramPictures {
  private readonly folder: ImageFolder;

  constructor(config: AppConfig) {
    this.folder = new ImageFolder(join(config.dataDir, 'program-pictures'));
  }

  /**
   * Keeps what was sent with a request.
   *
   * @param present how many the program has
   * @returns addresses @throws DeployError PICTURE
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

  /** The same with bytes that came otherwise. @throws DeployError PICTURE */
  async add(bytes: readonly Buffer[], present = 0): Promise<string[]> {
    if (bytes.length + present > MOST_PICTURES) throw refusal({ key: 'deploy.pictures_most', params: { n: MOST_PICTURES } });
    const images = await Promise.all(bytes.map((one) => reencodeImage(one, { within: MOST_PIXELS }))).catch((error: unknown) => {
      throw error instanceof ImageRefusal ? refusal(error.told) : error;
    });
    for (const image of images) await this.folder.save(image);
    return images.map(({ name }) => PROGRAM_PICTURES_PATH + name);
  }

  /** Absolute path of a picture; null where there is none of this name. */
  find(name: string): Promise<string | null> {
    return this.folder.find(name);
  }

  /** Absolute path of a picture by its address; null for one that is kept elsewhere, or gone. */
  pathTo(address: string): Promise<string | null> {
    return address.startsWith(PROGRAM_PICTURES_PATH) ? this.find(address.slice(PROGRAM_PICTURES_PATH.length)) : Promise.resolve(null);
  }

  /** Takes away pictures no program has. @returns how many */
  sweep(addresses: ReadonlySet<string>): Promise<number> {
    return this.folder.sweep((name) => addresses.has(PROGRAM_PICTURES_PATH + name), UNNAMED_MS);
  }
}

function refusal(why: { key: string; params?: DeployError['params'] }): DeployError {
  return new DeployError('PICTURE', { why }, { [FIELD]: why });
}
