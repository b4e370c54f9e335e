import { join } from 'node:path';

import { Injectable } from '@nestjs/common';

import { DAY_MS } from '../../../common/index.js';
import { AppConfig } from '../../../config/index.js';
import { ImageFolder, reencodeImage } from '../../../images/index.js';

/** Where pictures of themes' settings are served. */
export const THEME_PICTURES_PATH = '/uploads/themes/';

/** Most pixels of a side. */
const WITHIN = 1_600;
/** What no setting names is left alone for so long, in milliseconds: its form may not have been saved yet. */
const UNNAMED_MS = DAY_MS;

/** Pictures that administrators give themes: files of `DATA_DIR/theme-pictures`. */
@Injectable()
export class ThemePictures {
  private readonly folder: ImageFolder;

  constructor(config: AppConfig) {
    this.folder = new ImageFolder(join(config.dataDir, 'theme-pictures'));
  }

  /** Makes a picture anew from its pixels and keeps it. @returns its name @throws ImageRefusal */
  async keep(upload: Buffer): Promise<string> {
    const image = await reencodeImage(upload, { within: WITHIN });
    await this.folder.save(image);
    return image.name;
  }

  /** Absolute path of a picture; null where there is none of this name. */
  find(name: string): Promise<string | null> {
    return this.folder.find(name);
  }

  /** Takes away what was never saved, or is in use no more. */
  async sweep(isNamed: (name: string) => boolean): Promise<void> {
    await this.folder.sweep(isNamed, UNNAMED_MS);
  }
}

/** Address of a picture by its name. */
export const pictureAddress = (name: string): string => THEME_PICTURES_PATH + name;
