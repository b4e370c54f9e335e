import { join } from 'node:path';

import { Injectable } from '@nestjs/common';

import { localeOf, translateFor, type RegistrationScope } from '../../common/index.js';
import type { SvcFacade } from '../../sdk/index.js';

import { assetVersion } from '../package/asset-version.js';
import type { PluginPackage } from '../package/manifest.js';
import { PluginFiles } from '../package/plugin-files.js';
import { PluginInfos } from '../plugin-infos.js';
import { PluginNotices } from '../plugin-notices.js';

/** Facade functions by which a plugin describes itself and accesses its own files. */
export type IdentityFunctions = Pick<SvcFacade, 'svc_plugin_register' | 't' | 'asset' | 'dataFolder'>;

/** Keeps a plugin's description of itself, and notices about it, while it runs. */
@Injectable()
export class IdentityFunctionsFactory {
  constructor(
    private readonly infos: PluginInfos,
    private readonly notices: PluginNotices,
    private readonly files: PluginFiles,
  ) {}

  functionsFor({ slug, folder }: PluginPackage, registrations: RegistrationScope): IdentityFunctions {
    registrations.add(this.notices.begin(slug));
    registrations.add(this.infos.begin(slug));
    return {
      t: (locale, key, params) => translateFor(slug, localeOf(locale), key, params),
      asset: (path) => assetAddress(slug, folder, path),
      dataFolder: () => this.files.folderOf(slug),
      svc_plugin_register: (target: string, info: Record<string, unknown>) => {
        if (target === slug) this.infos.register(slug, info);
        else this.notices.add(slug, 'plugins.notice.other_slug', { slug: String(target).slice(0, 60) });
        return target === slug;
      },
    };
  }
}

/** @throws Error if the plugin has no such file */
function assetAddress(slug: string, folder: string, path: string): string {
  const version = typeof path === 'string' && !/(?:^|\/)\./.test(path) ? assetVersion(join(folder, 'assets', path)) : null;
  if (version === null) throw new Error(`${slug}: the file assets/${String(path).slice(0, 200)} does not exist.`);
  return `/app_plugins/${slug}/${path.split('/').map(encodeURIComponent).join('/')}?v=${version}`;
}
