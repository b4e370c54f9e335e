import { readFile, realpath } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { basename, dirname, join } from 'node:path';

import { Inject, Injectable } from '@nestjs/common';
import send from 'send';

import { PACKAGE_ROOT } from '../common/index.js';
import { CompressedFiles } from '../http/index.js';
import { DEFAULT_THEME, ThemeCatalogue } from './theme-catalogue.js';
import { THEME_SIDES } from './names.js';
import { THEME_OPTIONS, type ThemeOptions } from './theme-options.js';
import { readAsset, type ThemeAsset, type ThemePackage } from './theme-package.js';

/** URL path of assets. */
export const ASSETS_PATH = '/assets/';

const ASSET_URL = /^\/assets\/([0-9a-f]{16})\/([a-zA-Z0-9_-][a-zA-Z0-9._/-]{0,299})$/;
const YEAR_SECONDS = 31_536_000;

/** A built script or stylesheet of src/web/browser or of a package. */
const built = (file: string): string => join(PACKAGE_ROOT, 'dist/browser', file);

/** Library files available to every theme and the store, by name; resolved among the build output. */
export const LIBRARY_FILES = {
  'tabler.min.css': built('tabler.min.css'),
  'tabler.used.css': built('tabler.used.css'),
  'chart.min.js': built('chart.min.js'),
  'htmx.min.js': built('htmx.min.js'),
  'tabler.min.js': built('tabler.min.js'),
  'app.css': built('app.css'),
  'app.js': built('app.js'),
  'appearance.js': built('appearance.js'),
  'charts.js': built('charts.js'),
  'files.js': built('files.js'),
  'editor.js': built('editor.js'),
  'program.js': built('program.js'),
  'store.css': built('store.css'),
  'store.js': built('store.js'),
} as const;

/**
 * Serves the files of themes and libraries under URLs that contain a content hash, so that browsers can cache them forever.
 * Only files found when a theme was loaded are served: a URL is looked up, never converted to a path.
 */
@Injectable()
export class ThemeAssets {
  private readonly libraries = new Map<string, ThemeAsset>();

  constructor(
    private readonly catalogue: ThemeCatalogue,
    private readonly compressedFiles: CompressedFiles,
    @Inject(THEME_OPTIONS) private readonly options: ThemeOptions,
  ) {
    for (const [name, file] of Object.entries(LIBRARY_FILES)) {
      const asset = readAsset(name, file);
      if (asset) this.libraries.set(name, asset);
    }
  }

  /**
   * Returns the URL of asset `name` for pages of `theme`: the theme's own file, else the default theme's, else a
   * library's; null if it does not exist. The full `tabler.min.css` is only used if a theme or plugin has third-party pages:
   * the panel's own pages need a third of it.
   */
  urlOf(name: string, theme: ThemePackage): string | null {
    const library = name === 'tabler.min.css' && this.everyPageCameWithPanel(theme) ? 'tabler.used.css' : name;
    const asset = theme.assets.get(name) ?? this.catalogue.package(DEFAULT_THEME)?.assets.get(name) ?? this.libraries.get(library);
    return asset ? `${ASSETS_PATH}${asset.hash}/${asset.name}` : null;
  }

  private everyPageCameWithPanel(theme: ThemePackage): boolean {
    return !theme.isInstalled && !this.options.runsOthersPlugins?.();
  }

  /**
   * Serves `GET` and `HEAD` of {@link ASSETS_PATH}.
   *
   * @returns false if the request is not for an existing asset: nothing was sent then
   */
  async handle(request: IncomingMessage & { originalUrl?: string }, response: ServerResponse): Promise<boolean> {
    if (request.method !== 'GET' && request.method !== 'HEAD') return false;
    const path = (request.originalUrl ?? request.url ?? '').split('?', 1)[0]!;
    const match = ASSET_URL.exec(path);
    const asset = match && this.find(match[1]!, match[2]!);
    if (!asset || !(await isStillPlain(asset.file))) return false;
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('Content-Type', asset.type);
    response.setHeader('Cache-Control', `public, max-age=${YEAR_SECONDS}, immutable`);
    // An SVG opened directly is a document: it must not run scripts.
    response.setHeader('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox");
    const { file, hash } = asset;
    if (await this.compressedFiles.send(request, response, { name: asset.name, version: hash, read: () => readFile(file) })) return true;
    return new Promise((resolve) => {
      send(request, basename(file), { root: dirname(file), dotfiles: 'deny', index: false, cacheControl: false })
        .on('error', () => resolve(response.headersSent))
        .on('end', () => resolve(true))
        .pipe(response);
      response.once('close', () => resolve(true));
    });
  }

  private find(hash: string, name: string): ThemeAsset | null {
    const inUse = [...THEME_SIDES.map((side) => this.catalogue.active(side)), this.catalogue.package(DEFAULT_THEME)];
    const found = assetIn([...inUse.map((theme) => theme?.assets), this.libraries], name, hash);
    // Also serves themes that are being previewed.
    return (
      found ??
      assetIn(
        this.catalogue.all().map(({ assets }) => assets),
        name,
        hash,
      )
    );
  }
}

function assetIn(places: readonly (ReadonlyMap<string, ThemeAsset> | undefined)[], name: string, hash: string): ThemeAsset | null {
  return places.map((assets) => assets?.get(name)).find((asset) => asset?.hash === hash) ?? null;
}

/** Returns whether the path is still the regular file that was read, not a symbolic link. */
async function isStillPlain(file: string): Promise<boolean> {
  try {
    return (await realpath(file)) === file;
  } catch {
    return false;
  }
}
