import { realpathSync } from 'node:fs';
import { resolve, sep } from 'node:path';

import { Injectable } from '@nestjs/common';

import { PluginCalls, type RegistrationScope } from '../../common/index.js';
import type { SvcFacade } from '../../sdk/index.js';
import { OverrideRegistry } from '../../theme/index.js';
import { PageRegistry, pluginPage } from '../../web/index.js';

import type { PluginPackage } from '../package/manifest.js';

import { requireOptions } from './checked-arguments.js';
import { guardedCallback } from './guarded-callback.js';
import { guardedList } from './guarded-list.js';
import { RegistrationNotices } from './registration-notices.js';

/** The `svc_register_*` functions for pages, and for overrides of the theme's. */
export type PageFunctions = Pick<SvcFacade, 'svc_register_page' | 'svc_register_page_override' | 'svc_register_partial_override'>;

/** Registers pages and overrides of plugins, each entry with the plugin's slug and in its registration scope. */
@Injectable()
export class PageFunctionsFactory {
  constructor(
    private readonly pages: PageRegistry,
    private readonly overrides: OverrideRegistry,
    private readonly calls: PluginCalls,
    private readonly noticed: RegistrationNotices,
  ) {}

  functionsFor({ slug, folder }: PluginPackage, registrations: RegistrationScope): PageFunctions {
    const guarded = <Args extends unknown[], Result>(place: string, callback: (...args: Args) => Result): ((...args: Args) => Result) =>
      guardedCallback(this.calls, slug, 'page', place, callback);
    const override =
      (kind: 'page' | 'partial'): PageFunctions['svc_register_page_override'] =>
      (scope, view, callback, priority = 10) => {
        const show = guarded(`override ${scope}/${view}`, callback);
        const undo = this.overrides.add(kind, scope, view, show, { owner: slug, priority });
        this.noticed.override(slug, kind, scope, view);
        return registrations.add(undo);
      };
    return {
      svc_register_page: (scope, page, file, title, options) => {
        requireOptions(slug, `page ${page}`, options, ['lists', 'data']);
        const made = typeof file === 'function' ? guarded(`page ${page}`, file) : pageFile(slug, folder, file);
        const lists = options?.lists?.map((list) => guardedList(list, (callback) => guarded(`list ${list.id}`, callback)));
        const data = options?.data && guarded(`page ${page}`, options.data);
        const undo = this.pages.add(pluginPage({ scope, page, title, file: made, lists, data }, slug), slug);
        if (typeof made === 'string') this.noticed.pageFile(slug, String(file), made);
        return registrations.add(undo);
      },
      svc_register_page_override: override('page'),
      svc_register_partial_override: override('partial'),
    };
  }
}

/** Returns a page's file, which must exist and lie in the plugin's folder after resolving links. */
function pageFile(slug: string, folder: string, file: string): string {
  if (typeof file !== 'string' || !/\.(liquid|html)$/.test(file))
    throw new Error(`${slug}: a page must be a .liquid or .html file of the plugin, or a function.`);
  const root = realpathSync(folder);
  let path: string;
  try {
    path = realpathSync(resolve(root, file));
  } catch {
    throw new Error(`${slug}: the page file "${file}" does not exist.`);
  }
  if (!path.startsWith(root + sep)) throw new Error(`${slug}: the page file "${file}" is outside the folder of the plugin.`);
  return path;
}
