import { readFile, realpath, stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join, sep } from 'node:path';

import { Injectable } from '@nestjs/common';
import send from 'send';

import { CompressedFiles } from '../http/index.js';
import { assetVersion, PluginReconciler } from '../plugin-registry/index.js';
import { SiteLogos } from '../site/index.js';
import { ASSETS_PATH, ThemeAssets, ThemeCatalogue } from '../theme/index.js';

import { PICTURE_PATHS, PictureFiles } from './picture-files.js';

/** Public files of plugins: `/app_plugins/{slug}/{path}` maps to `assets/{path}` in the plugin's folder. */
const PLUGIN_FILES = /^\/app_plugins\/([A-Za-z0-9][A-Za-z0-9_-]{0,62})\/(?:assets\/)?([^?#]+)(?:\?v=([0-9a-f]{12})$)?/;

/** URL prefixes of files. */
export const FILE_ADDRESSES: readonly string[] = [ASSETS_PATH, ...PICTURE_PATHS, '/app_plugins/'];

/** Serves static files. */
@Injectable()
export class AssetFiles {
  constructor(
    private readonly themes: ThemeAssets,
    private readonly catalogue: ThemeCatalogue,
    private readonly plugins: PluginReconciler,
    private readonly logos: SiteLogos,
    private readonly pictures: PictureFiles,
    private readonly compressedFiles: CompressedFiles,
  ) {}

  /** Serves the request if it is for a file; returns false otherwise. */
  async handle(req: IncomingMessage, res: ServerResponse): Promise<boolean> {
    if (req.method !== 'GET' && req.method !== 'HEAD') return false;
    if (await this.themes.handle(req, res)) return true;
    const isPicture = await this.pictures.handle(req, res);
    if (isPicture !== null) return isPicture;
    const match = PLUGIN_FILES.exec(req.url ?? '');
    if (!match) return false;
    const [, slug, path, version] = match;
    const plugin = this.plugins.activePackage(slug!);
    return plugin ? this.sendInside(req, res, join(plugin.folder, 'assets'), path!, version) : false;
  }

  /** Sends a file below `root`; links that lead out of it and hidden files are treated as missing. */
  private async sendInside(
    req: IncomingMessage,
    res: ServerResponse,
    root: string,
    path: string,
    requestedVersion?: string,
  ): Promise<boolean> {
    const found = await fileInside(root, path);
    if (!found) return false;
    res.setHeader('X-Content-Type-Options', 'nosniff');
    // A plugin's SVG or HTML opened directly must not run scripts on our origin.
    res.setHeader('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; sandbox");
    const { file, version } = found;
    // Without the content's version in the URL, browsers cache the file and revalidate it each time (ETag, 304).
    const isForEver = requestedVersion !== undefined && assetVersion(file) === requestedVersion;
    res.setHeader('Cache-Control', isForEver ? 'public, max-age=31536000, immutable' : 'no-cache');
    if (await this.compressedFiles.send(req, res, { name: file, version, read: () => readFile(file) })) return true;
    return new Promise((resolve) => {
      send(req, path, { root: found.root, dotfiles: 'ignore', index: false, cacheControl: false })
        .on('error', () => resolve(false))
        .on('directory', () => resolve(false))
        .pipe(res);
      res.on('close', () => resolve(true));
    });
  }

  /** Returns the URL of the site icon. */
  faviconUrl(): string {
    const own = this.logos.urlOf('siteIcon');
    if (own) return own;
    return this.themes.urlOf('favicon.svg', this.catalogue.active('home') ?? this.catalogue.package('default')!) ?? '/';
  }
}

/** A file on disk, without symbolic links. */
interface FoundFile {
  readonly root: string;
  readonly file: string;
  /** Changes with the file. */
  readonly version: string;
}

async function fileInside(folder: string, path: string): Promise<FoundFile | null> {
  try {
    const root = await realpath(folder);
    const file = await realpath(join(root, decodeURIComponent(path)));
    if (!file.startsWith(root + sep) || file.includes(`${sep}.`, root.length)) return null;
    const { mtimeMs, size } = await stat(file);
    return { root, file, version: `${size}-${mtimeMs}` };
  } catch {
    return null;
  }
}
