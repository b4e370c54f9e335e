import { isIP } from 'node:net';

import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import {
  amountText,
  HostsService,
  NamesService,
  SVC_FACADE,
  type AjaxResult,
  type CallContext,
  type HostRecord,
  type SvcFacade,
} from '@svc/sdk';

import { Offers } from './offers.js';
import { isRefusal } from './refusals.js';

/** Errors with texts that programs know. Source: docs/panel-api.md "The domain shop". */
const KNOWN: Readonly<Record<string, string>> = { LIMIT: 'bind_limit', SOLD: 'bind_sold', NOT_BOUND: 'bind_none' };

/** Domains of the caller's host, under operation names of older programs. */
@Injectable()
export class BindingOperations implements OnModuleInit {
  constructor(
    @Inject(SVC_FACADE) private readonly svc: SvcFacade,
    @Inject(HostsService) private readonly hosts: HostsService,
    @Inject(NamesService) private readonly names: NamesService,
    @Inject(Offers) private readonly offers: Offers,
  ) {}

  onModuleInit(): void {
    const { svc } = this;
    svc.svc_register_ajax('user', 'p_domain_urllist', (ctx) => this.bound(ctx), 'user', { rate: 'read' });
    svc.svc_register_ajax('user', 'p_domain_erurl', (ctx) => this.onSale(ctx), 'user', { rate: 'read' });
    const writes = (audit: string) => ({ rate: 'write', audit }) as const;
    svc.svc_register_ajax('user', 'p_domain_tjurl', (ctx) => this.bind(ctx), 'user', writes('audit.name_bound'));
    svc.svc_register_ajax('user', 'p_domain_scurl', (ctx) => this.unbind(ctx), 'user', writes('audit.name_unbound'));
    svc.svc_register_ajax('user', 'p_domain_seturl', (ctx) => this.rename(ctx), 'user', writes('audit.name_renamed'));
  }

  /** `type` 1: domains with a folder, 2: without, 3: all. */
  private async bound(ctx: CallContext): Promise<AjaxResult> {
    const all = await this.hosts.domains(ctx.user!.id);
    const { type = '3' } = ctx.body;
    const wanted = all.filter(({ folder }) => (type === '1' ? folder !== '' : type === '2' ? folder === '' : true));
    const url = wanted.map(({ name, folder, boundAt }) => ({
      name,
      port: 80,
      addtime: boundAt.slice(0, 19).replace('T', ' '),
      path: `/${folder}`,
    }));
    return { url, dir: [...new Set(all.map(({ folder }) => folder))].filter(Boolean) };
  }

  private async onSale(ctx: CallContext): Promise<AjaxResult> {
    const host = await this.hosts.get(ctx.user!.id);
    const zones = (await this.offers.onSale()).filter(({ node }) => node === host?.node);
    return zones.map(({ domain, price, description, months }) => ({ url: domain, jg: amountText(price), jj: description, ys: months }));
  }

  private bind(ctx: CallContext): Promise<AjaxResult> {
    const { url = '', dirs } = ctx.body;
    return this.answered(ctx, 'bind_done', async (host) => {
      if (dirs !== undefined && dirs.trim() === '') return 'bind_folder';
      if (isIP(url.trim().replace(/^\[|\]$/g, '')) !== 0) return 'bind_ip';
      await this.hosts.bindDomain(host.id, url, dirs ?? '');
      return null;
    });
  }

  private unbind(ctx: CallContext): Promise<AjaxResult> {
    const { url = '' } = ctx.body;
    return this.answered(ctx, 'unbind_done', async (host) => {
      if (url.trim().toLowerCase() === new URL(host.url).hostname) return 'unbind_own';
      await this.hosts.unbindDomain(host.id, url);
      return null;
    });
  }

  /** Renames a name: `zym` is the domain, `jqz` the current prefix, `xqz` the new one. */
  private rename(ctx: CallContext): Promise<AjaxResult> {
    const { zym = '', jqz = '', xqz = '', path = '' } = ctx.body;
    return this.answered(ctx, 'rename_done', async (host) => {
      if (xqz.trim() === '') return 'bad_prefix';
      const name = await this.names.get(`${jqz.trim()}.${zym.trim()}`.toLowerCase());
      if (name?.state !== 'sold' || name.host !== host.id) return 'no_name_text';
      const next = await this.names.rename(name.id, xqz);
      await this.names.show(next.id, host.id, path.trim());
      return null;
    });
  }

  /** @param work returns the key of an error text, null on success */
  private async answered(ctx: CallContext, done: string, work: (host: HostRecord) => Promise<string | null>): Promise<AjaxResult> {
    const host = await this.hosts.get(ctx.user!.id);
    if (host?.status !== 'active') return refused(ctx.t('host_stopped'), 'E_STATE');
    try {
      const wrong = await work(host);
      if (wrong !== null) return refused(ctx.t(wrong), 'E_ARGS');
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const known = KNOWN[error.code];
      return refused(known ? ctx.t(known) : error.message, 'E_ARGS');
    }
    const text = ctx.t(done);
    return { success: true, qk: 1, code: text, msg: text, data: {} };
  }
}

const refused = (text: string, err: string): AjaxResult => ({ success: false, qk: 4, code: text, msg: text, err, data: null });
