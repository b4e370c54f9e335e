import { join } from 'node:path';

import { Injectable } from '@nestjs/common';

import { AppConfig } from '../config/index.js';
import { ImageFolder, reencodeImage } from '../images/index.js';

import { SiteSettings } from './site-settings.js';

/** Where logos are served. */
export const LOGOS_PATH = '/uploads/logos/';

/** Pixels of a side: larger ones are made smaller, since every page shows them. */
const MOST_PIXELS = 512;
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

  /** Makes a picture anew from its pixels and keeps it. @returns its name @throws ImageRefusal */
  async keep(upload: Buffer): Promise<string> {
    const image = await reencodeImage(upload, { within: MOST_PIXELS });
    await this.folder.save(image);
    return image.name;
  }

  /** Absolute path of a picture; null where there is none of this name. */
  find(name: string): Promise<string | null> {
    return this.folder.find(name);
  }

  /** Takes away pictures no setting names any more, those of broken-off changes too. */
  async sweep(): Promise<void> {
    const { loginLogo, homeLogo, menuLogo } = this.settings.current;
    await this.folder.sweep((name) => [loginLogo, homeLogo, menuLogo].includes(name), UNNAMED_MS);
  }
}

function urlOf(name: string): string {
  return name && LOGOS_PATH + name;
}
