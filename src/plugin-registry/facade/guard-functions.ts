import { Injectable } from '@nestjs/common';

import { AuthPolicyChecker, accessOf } from '../../auth/index.js';
import { OutboundHttp, executionContext } from '../../common/index.js';
import { AuthFailure, Permissions } from '../../operations/index.js';
import type { AuthPolicy, CallContext, HttpRequest, HttpResponse, SvcFacade } from '../../sdk/index.js';

import { PluginError } from '../errors.js';
import type { PluginPackage } from '../package/manifest.js';
import { mayReach } from '../package/permissions.js';
import { PluginOptions } from '../plugin-options.js';
import { RunningPlugins } from '../runtime/running-plugins.js';

/** Facade functions for options, guards and outbound requests. */
export type GuardFunctions = Pick<
  SvcFacade,
  | 'svc_plugin_option_get'
  | 'svc_plugin_option_set'
  | 'svc_plugin_require_admin'
  | 'svc_plugin_require_user'
  | 'svc_plugin_auth_check'
  | 'svc_plugin_auth_fail'
  | 'svc_http_get'
  | 'svc_http_post'
  | 'http'
>;

/** Binds options, guards and outbound requests to one plugin. */
@Injectable()
export class GuardFunctionsFactory {
  constructor(
    private readonly options: PluginOptions,
    private readonly policies: AuthPolicyChecker,
    private readonly http: OutboundHttp,
    private readonly permissions: Permissions,
    private readonly running: RunningPlugins,
  ) {}

  functionsFor(plugin: PluginPackage): GuardFunctions {
    const { slug } = plugin;
    const allow = (target: string): void => {
      if (target === slug) return;
      const shared = this.running.get(target)?.package.sharesOptionsWith;
      if (!shared?.has(slug) && !shared?.has('*')) {
        throw new Error(`${slug}: the options of "${target}" are not shared. Its plugin.json can share them (share_options).`);
      }
    };
    const check = async (auth: AuthPolicy): Promise<boolean> => {
      const call = currentCall();
      if (call && auth === 'admin' && !this.permissions.mayUsePlugin(accessOf(call.admin), slug)) return false;
      return call ? this.policies.check(auth, call) : auth === null || auth === '' || auth === 'none';
    };
    const mayAsk = (host: string): boolean => mayReach(plugin, host);
    const send = async (call: string, request: HttpRequest): Promise<HttpResponse> => {
      const host = URL.canParse(request.url) ? new URL(request.url).hostname : null;
      if (host !== null && !mayAsk(host))
        throw new PluginError('PERMISSION_MISSING', { call: `${call}(${host})`, permission: `network:${host}` });
      const { ok, code, body, error, headers } = await this.http.request({ ...request, mayReach: mayAsk });
      return { ok, code, body, error, headers };
    };
    return {
      svc_plugin_option_get: async <T>(target: string, key: string, fallback?: T) => {
        allow(target);
        return (await this.options.get(target, key, fallback ?? null)) as T;
      },
      svc_plugin_option_set: async (target, key, value, options) => {
        allow(target);
        await this.options.set(target, key, value, options?.secret === true);
        return true;
      },
      svc_plugin_require_admin: () => {
        const admin = currentCall()?.admin;
        if (!admin || !this.permissions.mayUsePlugin(accessOf(admin), slug)) throw new AuthFailure('admin');
      },
      svc_plugin_require_user: () => {
        if (!currentCall()?.user) throw new AuthFailure('user');
      },
      svc_plugin_auth_check: check,
      svc_plugin_auth_fail: (auth) => {
        throw new AuthFailure(auth);
      },
      http: (request) => send('svc.http', request),
      svc_http_get: (url, headers) => send('svc_http_get', { url, headers }),
      svc_http_post: (url, body, headers) => send('svc_http_post', { url, method: 'POST', headers, body }),
    };
  }
}

function currentCall(): CallContext | undefined {
  return executionContext.getStore()?.call;
}
