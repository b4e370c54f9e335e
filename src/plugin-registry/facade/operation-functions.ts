import { Injectable } from '@nestjs/common';

import { Faults, PluginCalls, type CallKind, type RegistrationScope } from '../../common/index.js';
import { HomeRegistry, OperationRegistry, PLUGIN_OPERATION_PREFIX, Routes } from '../../operations/index.js';
import type { AuthPolicy, CallContext, PluginRateClass, SvcFacade } from '../../sdk/index.js';

import type { PluginPackage } from '../package/manifest.js';
import { requirePermission } from '../package/permissions.js';

import { requireOptions, requirePolicy, requireSide } from './checked-arguments.js';
import { guardedCallback } from './guarded-callback.js';
import { operationForm } from './operation-form.js';
import { pluginOperation } from './plugin-operation.js';

/** The `svc_register_*` functions for everything people and programs can call. */
export type OperationFunctions = Pick<SvcFacade, 'svc_register_ajax' | 'svc_register_home' | 'svc_register_route'>;

/** Without declared fields it gets only the context, as in earlier API versions. */
type OperationCallback = (ctx: CallContext, input?: object) => unknown;

const OPERATION_NAME = /^p_[A-Za-z0-9_]{1,100}$/;

/** Registers operations and routes of plugins, each entry with the plugin's slug and in its registration scope. */
@Injectable()
export class OperationFunctionsFactory {
  constructor(
    private readonly operations: OperationRegistry,
    private readonly routes: Routes,
    private readonly homes: HomeRegistry,
    private readonly calls: PluginCalls,
    private readonly faults: Faults,
  ) {}

  functionsFor(plugin: PluginPackage, registrations: RegistrationScope): OperationFunctions {
    const { slug } = plugin;
    /** The plugin's own check has the deadline of what it guards. */
    const policy = (kind: CallKind, place: string, auth: AuthPolicy): AuthPolicy =>
      typeof auth === 'function' ? guardedCallback(this.calls, slug, kind, `auth of ${place}`, auth) : auth;
    return {
      svc_register_ajax: (scope, gn, callback, auth = null, options = {}) => {
        requireSide(slug, scope);
        requirePolicy(slug, auth);
        if (typeof gn !== 'string' || !OPERATION_NAME.test(gn)) {
          throw new Error(
            `${slug}: an operation's name must start with "${PLUGIN_OPERATION_PREFIX}" and ` +
              `hold letters, digits and _ only, not ${JSON.stringify(gn)}.`,
          );
        }
        requireOptions(slug, `operation ${gn}`, options, ['audit', 'rate', 'secondProof', 'needs', 'fields']);
        const run = guardedCallback(this.calls, slug, 'operation', `operation ${gn}`, callback as OperationCallback);
        const input = options?.fields === undefined ? null : operationForm(slug, gn, options.fields);
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
                input,
                handle: (form, ctx) => (input ? run(ctx, form) : run(ctx)),
              },
              this.faults,
            ),
          ),
        );
      },
      svc_register_home: (callback, priority = 10) => {
        requirePermission(plugin, 'routes', 'svc_register_home');
        return registrations.add(this.homes.add(guardedCallback(this.calls, slug, 'page', 'home page', callback), priority, slug));
      },
      svc_register_route: (method, path, callback, priority = 10, auth = null, options = {}) => {
        requirePolicy(slug, auth);
        if (!isOwnAddress(slug, path)) requirePermission(plugin, 'routes', `svc_register_route(${JSON.stringify(path)})`);
        const place = `route ${String(method).toUpperCase()} ${path}`;
        requireOptions(slug, place, options, ['csrfExempt', 'rate', 'audit', 'actor']);
        const handler = {
          callback: guardedCallback(this.calls, slug, 'route', place, callback),
          auth: policy('route', place, auth),
          csrfExempt: options?.csrfExempt === true,
          rate: rateClass(slug, options?.rate, 'public'),
          audit: options?.audit === false ? (false as const) : (auditText(slug, options?.audit) ?? undefined),
          ...(options?.actor && { actor: guardedCallback(this.calls, slug, 'route', `actor of ${place}`, options.actor) }),
        };
        return registrations.add(this.routes.add({ method, path, priority, owner: slug, handler }));
      },
    };
  }

  /** @throws Error for anything but an admin-side operation of the panel, and if the caller's role is not checked */
  private needed(slug: string, given: unknown, ofAdmins: boolean): string | undefined {
    if (given === undefined) return undefined;
    const found = typeof given === 'string' ? this.operations.find('admin', given) : undefined;
    if (!found || found.partOf !== undefined)
      throw new Error(`${slug}: needs must name an operation of the panel's admin side, not ${JSON.stringify(given)}.`);
    if (!ofAdmins) throw new Error(`${slug}: needs is only for operations of the admin side with auth "admin".`);
    return found.name;
  }
}

/** Whether a route's path lies below the paths reserved for the plugin. */
function isOwnAddress(slug: string, path: unknown): boolean {
  return typeof path === 'string' && new RegExp(`^/(?:p|pay)/${slug}(?:/|$)`).test(path);
}

/** @throws Error for anything but a text */
function auditText(slug: string, given: unknown): string | null {
  if (given === undefined || given === null) return null;
  if (typeof given !== 'string' || given.trim() === '')
    throw new Error(`${slug}: the audit text of an operation must be a non-empty string, not ${JSON.stringify(given)}.`);
  return given.trim();
}

/** Rate classes a plugin may use; the others are reserved for the panel. */
const PLUGIN_RATE_CLASSES: readonly PluginRateClass[] = ['public', 'read', 'write', 'expensive', 'order', 'callback'];

/** @throws Error for an unknown class */
function rateClass(slug: string, given: unknown, fallback: PluginRateClass): PluginRateClass {
  if (given === undefined) return fallback;
  const found = PLUGIN_RATE_CLASSES.find((name) => name === given);
  if (!found) throw new Error(`${slug}: the rate class must be one of ${PLUGIN_RATE_CLASSES.join(', ')}, not ${JSON.stringify(given)}.`);
  return found;
}

/**
 * @throws Error if it cannot be enforced: for operations without a required account, and with the plugin's own check, the account is
 *   unknown
 */
function secondProof(slug: string, given: unknown, ofItsSide: boolean): true | undefined {
  if (given === undefined || given === false) return undefined;
  if (given !== true) throw new Error(`${slug}: secondProof must be true or false, not ${JSON.stringify(given)}.`);
  if (!ofItsSide) throw new Error(`${slug}: secondProof is only for operations with auth "admin" or "user" of the same side.`);
  return true;
}
