import type { IncomingMessage, ServerResponse } from 'node:http';

import { Injectable } from '@nestjs/common';

import { PROGRAM_PICTURES_PATH, ProgramPictures } from '../hosting/index.js';
import { sendImage } from '../images/index.js';
import { LOGOS_PATH, SiteLogos, THEME_PICTURES_PATH, ThemePictures } from '../site/index.js';

/** URL prefixes of uploaded images. */
export const PICTURE_PATHS = [LOGOS_PATH, THEME_PICTURES_PATH, PROGRAM_PICTURES_PATH] as const;

/** Serves uploaded images of the site, of themes and of programs. */
@Injectable()
export class PictureFiles {
  private readonly folders: Readonly<Record<string, { find(name: string): Promise<string | null> }>>;

  constructor(logos: SiteLogos, themes: ThemePictures, programs: ProgramPictures) {
    this.folders = { [LOGOS_PATH]: logos, [THEME_PICTURES_PATH]: themes, [PROGRAM_PICTURES_PATH]: programs };
  }

  /** Serves the request if it is for an image: returns false if the image does not exist, null if the request is for something else. */
  async handle(req: IncomingMessage, res: ServerResponse): Promise<boolean | null> {
    const path = PICTURE_PATHS.find((one) => req.url?.startsWith(one));
    if (path === undefined) return null;
    const found = await this.folders[path]!.find(req.url!.slice(path.length).split('?', 1)[0]!);
    if (found) sendImage(req, res, found);
    return found !== null;
  }
}
