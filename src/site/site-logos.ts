import { join } from 'node:path';

import { Injectable } from '@nestjs/common';

import { AppConfig } from '../config/index.js';
import { ImageFolder, reencodeImage } from '../images/index.js';

import { SiteSettings } from './site-settings.js';

/** URL path of logos. */
export const LOGOS_PATH = '/uploads/logos/';

/** Images of the site by their setting, with the maximum side length in pixels; larger ones are scaled down. */
const PICTURES = { loginLogo: 512, homeLogo: 512, menuLogo: 512, siteIcon: 192, homeImage: 1_600 } as const;

/** A setting that names an image. */
export type PictureSetting = keyof typeof PICTURES;

/** Minimum age before an unreferenced image is removed, in milliseconds: its setting may not be saved yet. */
const UNNAMED_MS = 60_000;

/** The site's own images: files in `DATA_DIR/logos`, named by the settings. */
@Injectable()
export class SiteLogos {
  private readonly folder: ImageFolder;

  constructor(
    private readonly settings: SiteSettings,
    config: AppConfig,
  ) {
    this.folder = new ImageFolder(join(config.dataDir, 'logos'));
  }

  /** URLs of the images of the login pages, of the home page and above the menu; empty if not set. */
  get urls(): Record<'login' | 'index' | 'head', string> {
    const { loginLogo, homeLogo, menuLogo } = this.settings.current;
    return { login: urlOf(loginLogo), index: urlOf(homeLogo), head: urlOf(menuLogo) };
  }

  /** Returns the URL of the image a setting names; empty if not set. */
  urlOf(setting: PictureSetting): string {
    return urlOf(this.settings.current[setting]);
  }

  /** Re-encodes an image from its pixels and stores it. @returns its name @throws ImageRefusal */
  async keep(upload: Buffer, setting: PictureSetting): Promise<string> {
    const image = await reencodeImage(upload, { within: PICTURES[setting] });
    await this.folder.save(image);
    return image.name;
  }

  /** Returns the absolute path of an image; null if it does not exist. */
  find(name: string): Promise<string | null> {
    return this.folder.find(name);
  }

  /** Removes images that no setting names, including those of aborted changes. */
  async sweep(): Promise<void> {
    const { current } = this.settings;
    const named = (Object.keys(PICTURES) as PictureSetting[]).map((setting) => current[setting]);
    await this.folder.sweep((name) => named.includes(name), UNNAMED_MS);
  }
}

function urlOf(name: string): string {
  return name && LOGOS_PATH + name;
}
