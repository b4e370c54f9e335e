import { join } from 'node:path';

import { Injectable } from '@nestjs/common';

import { DAY_MS } from '../../../common/index.js';
import { AppConfig } from '../../../config/index.js';
import { ImageFolder, reencodeImage } from '../../../images/index.js';

/** URL path of theme images. */
export const THEME_PICTURES_PATH = '/uploads/themes/';

/** Maximum side length in pixels. */
const WITHIN = 1_600;
/** Minimum age before an unreferenced image is removed, in milliseconds: its form may not be saved yet. */
const UNNAMED_MS = DAY_MS;

/** Images that administrators upload for themes: files in `DATA_DIR/theme-pictures`. */
@Injectable()
export class ThemePictures {
  private readonly folder: ImageFolder;

  constructor(config: AppConfig) {
    this.folder = new ImageFolder(join(config.dataDir, 'theme-pictures'));
  }

  /** Re-encodes an image from its pixels and stores it. @returns its name @throws ImageRefusal */
  async keep(upload: Buffer): Promise<string> {
    const image = await reencodeImage(upload, { within: WITHIN });
    await this.folder.save(image);
    return image.name;
  }

  /** Returns the absolute path of an image; null if it does not exist. */
  find(name: string): Promise<string | null> {
    return this.folder.find(name);
  }

  /** Removes images that were never saved or are no longer used. */
  async sweep(isNamed: (name: string) => boolean): Promise<void> {
    await this.folder.sweep(isNamed, UNNAMED_MS);
  }
}

/** Returns the URL of an image. */
export const pictureAddress = (name: string): string => THEME_PICTURES_PATH + name;
