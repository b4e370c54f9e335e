import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { LOCALES, addOwnerTexts, type Locale, type Undo } from '../../common/index.js';

import type { PluginPackage } from './manifest.js';

/**
 * Reads `lang/<locale>.json` of a plugin, where there are any; `ctx.t()` finds the texts while the plugin is active.
 *
 * @throws Error for a file that is no flat JSON object of texts
 */
export function loadPluginTexts(plugin: PluginPackage): Undo {
  const texts: Partial<Record<Locale, Record<string, string>>> = {};
  for (const locale of LOCALES) {
    const path = join(plugin.folder, 'lang', `${locale}.json`);
    if (!existsSync(path)) continue;
    const content: unknown = JSON.parse(readFileSync(path, 'utf8').replace(/^\uFEFF/, ''));
    if (typeof content !== 'object' || content === null || Object.values(content).some((text) => typeof text !== 'string')) {
      throw new Error(`lang/${locale}.json must be a flat object of texts.`);
    }
    texts[locale] = content as Record<string, string>;
  }
  return addOwnerTexts(plugin.slug, texts);
}
