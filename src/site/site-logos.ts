import { join } from 'node:path';

import { Injectable } from '@nestjs/common';

import { AppConfig } from '../config/index.js';
import { ImageFolder, reencodeImage } from '../images/index.js';

import { SiteSettings } from './site-settings.js';

/** Where logos are served. */
export const LOGOS_PATH = '/uploads/logos/';

/** The pictures of the site, by the setting that names each, with the most pixels of a side: larger ones are made smaller. */
const PICTURES = { loginLogo: 512, homeLogo: 512, menuLogo: 512, siteIcon: 192, homeImage: 1_600 } as const;

/** A setting that names a picture. */
export type PictureSetting = keyof typeof PICTURES;

/** What no setting names is left alone for so long, in milliseconds: it may be on its way there. */
const UNNAMED_MS = 60_000;

/** The site's own pictures: files of `DATA_DIR/logos`, named by the settings. */
@Injectable()
export class SiteLogos {
  private readonly folder: ImageFolder;

  constructor(
    private readonly settings: SiteSettings,
    config: AppConfig,
  ) {
    this.folder = new ImageFolder(join(config.dataDir, 'logos'));
  }

  /** Addresses of the pictures of the login pages, of the home page and above the menu; empty where there is none. */
  get urls(): Record<'login' | 'index' | 'head', string> {
    const { loginLogo, homeLogo, menuLogo } = this.settings.current;
    return { login: urlOf(loginLogo), index: urlOf(homeLogo), head: urlOf(menuLogo) };
  }

  /** Address of the picture a setting names; empty where there is none. */
  urlOf(setting: PictureSetting): string {
    return urlOf(this.settings.current[setting]);
  }

  /** Makes a picture anew from its pixels and keeps it. @returns its name @throws ImageRefusal */
  async keep(upload: Buffer, setting: PictureSetting): Promise<string> {
    const image = await reencodeImage(upload, { within: PICTURES[setting] });
    await this.folder.save(image);
    return image.name;
  }

  /** Absolute path of a picture; null where there is none of this name. */
  find(name: string): Promise<string | null> {
    return this.folder.find(name);
  }

  /** Takes away pictures no setting names any more, those of broken-off changes too. */
  async sweep(): Promise<void> {
    const { current } = this.settings;
    const named = (Object.keys(PICTURES) as PictureSetting[]).map((setting) => current[setting]);
    await this.folder.sweep((name) => named.includes(name), UNNAMED_MS);
  }
}

function urlOf(name: string): string {
  return name && LOGOS_PATH + name;
}
