import { realpathSync } from 'node:fs';
import { resolve, sep } from 'node:path';

import { Injectable } from '@nestjs/common';

import { Faults, PluginCalls, type CallKind, type RegistrationScope } from '../../common/index.js';
import { HomeRegistry, OperationRegistry, PLUGIN_OPERATION_PREFIX, Routes } from '../../operations/index.js';
import type { AuthPolicy, PluginRateClass, Scope, SvcFacade } from '../../sdk/index.js';
import { MenuRegistry, OverrideRegistry, PageRegistry, SettingsTabRegistry, WidgetRegistry } from '../../theme/index.js';

import type { PluginPackage } from '../package/manifest.js';

import { pluginOperation } from './plugin-operation.js';
import { guardedList } from './guarded-list.js';
import { RegistrationNotices } from './registration-notices.js';

/** The `svc_register_*` functions about what people and programs can call and see. */
export type CapabilityFunctions = Pick<
  SvcFacade,
  | 'svc_register_ajax'
  | 'svc_register_page'
  | 'svc_register_menu'
  | 'svc_register_widget'
  | 'svc_register_settings_tab'
  | 'svc_register_home'
  | 'svc_register_route'
  | 'svc_register_page_override'
  | 'svc_register_partial_override'
>;

const OPERATION_NAME = /^p_[A-Za-z0-9_]{1,100}$/;

/** Puts what a plugin offers into the registries below, every entry under its slug and into its scope. */
@Injectable()
export class Capabilities {
  constructor(
    private readonly operations: OperationRegistry,
    private readonly routes: Routes,
    private readonly homes: HomeRegistry,
    private readonly pages: PageRegistry,
    private readonly menus: MenuRegistry,
    private readonly widgets: WidgetRegistry,
    private readonly tabs: SettingsTabRegistry,
    private readonly overrides: OverrideRegistry,
    private readonly calls: PluginCalls,
    private readonly faults: Faults,
    private readonly noticed: RegistrationNotices,
  ) {}

  functionsFor(plugin: PluginPackage, registrations: RegistrationScope): CapabilityFunctions {
    const { slug, folder } = plugin;
    const guarded = <Args extends unknown[], Result>(
      kind: CallKind,
      place: string,
      callback: (...args: Args) => Result,
    ): ((...args: Args) => Result) => {
      if (typeof callback !== 'function') throw new Error(`${slug}: the ${place} needs a function.`);
      return this.calls.guard(slug, place, { kind }, callback);
    };
    /** A check of the plugin's own has the time of what it guards. */
    const policy = (kind: CallKind, place: string, auth: AuthPolicy): AuthPolicy =>
      typeof auth === 'function' ? guarded(kind, `auth of ${place}`, auth) : auth;
    return {
      svc_register_ajax: (scope, gn, callback, auth = null, options = {}) => {
        requireSide(slug, scope);
        requirePolicy(slug, auth);
        if (typeof gn !== 'string' || !OPERATION_NAME.test(gn)) {
          throw new Error(
            `${slug}: an operation's name must start with "${PLUGIN_OPERATION_PREFIX}" and hold letters, digits and _ only, not ${JSON.stringify(gn)}.`,
          );
        }
        const run = guarded('operation', `operation ${gn}`, callback);
        const rate = rateClass(slug, options?.rate, auth === 'admin' || auth === 'user' ? 'write' : 'public');
        return registrations.add(
          this.operations.add(
            pluginOperation(
              {
                owner: slug,
                side: scope,
                name: gn,
                auth: policy('operation', `operation ${gn}`, auth),
                audit: auditText(slug, options?.audit),
                rate,
                secondProof: secondProof(slug, options?.secondProof, auth === scope),
                needs: this.needed(slug, options?.needs, auth === scope && scope === 'admin'),
                handle: (_input, ctx) => run(ctx),
              },
              this.faults,
            ),
          ),
        );
      },
      svc_register_page: (scope, page, file, title, options) =>
        registrations.add(
          this.pages.add(
            {
              scope,
              page,
              title,
              file: typeof file === 'function' ? guarded('page', `page ${page}`, file) : pageFile(slug, folder, file),
              lists: options?.lists?.map((list) => guardedList(list, (callback) => guarded('page', `list ${list.id}`, callback))),
            },
            slug,
          ),
        ),
      svc_register_menu: (scope, menu) => {
        const undo = this.menus.add(scope, menu, slug);
        this.noticed.menu(slug, menu);
        return registrations.add(undo);
      },
      svc_register_widget: (scope, area, callback) => {
        const undo = this.widgets.add({ scope, area, callback: guarded('page', `widget ${scope}/${area}`, callback) }, slug);
        this.noticed.widget(slug, area);
        return registrations.add(undo);
      },
      svc_register_settings_tab: (scope, tab) => {
        requireSide(slug, scope);
        const undo = this.tabs.add(tab, slug, scope);
        this.noticed.tab(slug, tab);
        return registrations.add(undo);
      },
      svc_register_home: (callback, priority = 10) =>
        registrations.add(this.homes.add(guarded('page', 'home page', callback), priority, slug)),
      svc_register_route: (method, path, callback, priority = 10, auth = null, options = {}) => {
        requirePolicy(slug, auth);
        const place = `route ${String(method).toUpperCase()} ${path}`;
        const handler = {
          callback: guarded('route', place, callback),
          auth: policy('route', place, auth),
          csrfExempt: options?.csrfExempt === true,
          rate: rateClass(slug, options?.rate, 'public'),
          audit: options?.audit === false ? (false as const) : (auditText(slug, options?.audit) ?? undefined),
        };
        return registrations.add(this.routes.add({ method, path, priority, owner: slug, handler }));
      },
      svc_register_page_override: (scope, view, callback, priority = 10) => {
        const undo = this.overrides.add('page', scope, view, guarded('page', `override ${scope}/${view}`, callback), {
          owner: slug,
          priority,
        });
        this.noticed.override(slug, 'page', scope, view);
        return registrations.add(undo);
      },
      svc_register_partial_override: (scope, view, callback, priority = 10) => {
        const undo = this.overrides.add('partial', scope, view, guarded('page', `override ${scope}/${view}`, callback), {
          owner: slug,
          priority,
        });
        this.noticed.override(slug, 'partial', scope, view);
        return registrations.add(undo);
      },
    };
  }

  /** @throws Error for what is no operation of the panel's admin side, and where the role of whoever calls is not asked about */
  private needed(slug: string, given: unknown, ofAdmins: boolean): string | undefined {
    if (given === undefined) return undefined;
    const found = typeof given === 'string' ? this.operations.find('admin', given) : undefined;
    if (found?.owner !== 'core')
      throw new Error(`${slug}: needs must name an operation of the panel's admin side, not ${JSON.stringify(given)}.`);
    if (!ofAdmins) throw new Error(`${slug}: needs belongs to an operation of the admin side that says "admin".`);
    return found.name;
  }
}

/** @throws Error for a policy the panel does not know: unknown never means open */
export function requirePolicy(slug: string, auth: AuthPolicy | undefined): void {
  if (auth === null || auth === undefined || typeof auth === 'function' || ['', 'none', 'admin', 'user'].includes(auth)) return;
  throw new Error(`${slug}: auth must be null, "none", "admin", "user" or a function, not ${JSON.stringify(auth)}.`);
}

/** @throws Error for what is no text */
function auditText(slug: string, given: unknown): string | null {
  if (given === undefined || given === null) return null;
  if (typeof given !== 'string' || given.trim() === '')
    throw new Error(`${slug}: the text of an operation's line in the log must be a text, not ${JSON.stringify(given)}.`);
  return given.trim();
}

/** Classes a plugin may name; the panel's others belong to what only it has. */
const PLUGIN_RATE_CLASSES: readonly PluginRateClass[] = ['public', 'read', 'write', 'expensive', 'order', 'callback'];

/** @throws Error for a class there is not */
function rateClass(slug: string, given: unknown, usual: PluginRateClass): PluginRateClass {
  if (given === undefined) return usual;
  const found = PLUGIN_RATE_CLASSES.find((name) => name === given);
  if (!found) throw new Error(`${slug}: the rate class must be one of ${PLUGIN_RATE_CLASSES.join(', ')}, not ${JSON.stringify(given)}.`);
  return found;
}

/** @throws Error where it could not be asked for: of whom no account is needed, and with a check of the plugin's own, nobody knows whose factor it is */
function secondProof(slug: string, given: unknown, ofItsSide: boolean): true | undefined {
  if (given === undefined || given === false) return undefined;
  if (given !== true) throw new Error(`${slug}: secondProof must be true or false, not ${JSON.stringify(given)}.`);
  if (!ofItsSide) throw new Error(`${slug}: secondProof needs an operation that only its own side may call: "admin" or "user".`);
  return true;
}

function requireSide(slug: string, scope: Scope): void {
  if (scope !== 'admin' && scope !== 'user') throw new Error(`${slug}: the scope must be "admin" or "user", not ${JSON.stringify(scope)}.`);
}

/** A page's file, which must exist and really lie in the plugin's folder, links followed. */
function pageFile(slug: string, folder: string, file: string): string {
  if (typeof file !== 'string' || !/\.(liquid|html)$/.test(file))
    throw new Error(`${slug}: a page is a .liquid or .html file of the plugin, or a function.`);
  const root = realpathSync(folder);
  let path: string;
  try {
    path = realpathSync(resolve(root, file));
  } catch {
    throw new Error(`${slug}: the page file "${file}" does not exist.`);
  }
  if (!path.startsWith(root + sep)) throw new Error(`${slug}: the page file "${file}" lies outside the plugin's folder.`);
  return path;
}
