import { randomUUID } from 'node:crypto';

import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { html, SVC_FACADE, type CallContext, type HttpReply, type SvcFacade } from '@svc/sdk';

import { inWords } from './answers.js';
import { newPassword } from './host-actions.js';
import { readHost } from './host-input.js';
import { Layout, type Shown } from './layout.js';
import { Openings } from './openings.js';
import type { Pool } from './pools.js';
import { PortalEntry } from './portal-entry.js';
import { amountFields, credentials, dayField, problemText } from './portal-parts.js';
import { refusedWords } from './refusals.js';
import { usePart } from './use-part.js';

/** Page on which a sub-reseller opens a host. */
@Injectable()
export class PortalOpening implements OnModuleInit {
  constructor(
    @Inject(SVC_FACADE) private readonly svc: SvcFacade,
    @Inject(Openings) private readonly openings: Openings,
    @Inject(PortalEntry) private readonly entry: PortalEntry,
    @Inject(Layout) private readonly layout: Layout,
  ) {}

  onModuleInit(): void {
    const { svc, entry } = this;
    svc.svc_register_route('GET', '/pool/open', (_params, ctx) => entry.signedIn(ctx, (pool) => this.form(ctx, pool)));
    const open = (ctx: CallContext): Promise<HttpReply> => entry.signedIn(ctx, (pool) => this.open(ctx, pool));
    svc.svc_register_route('POST', '/pool/open', (_params, ctx) => open(ctx), 10, null, {
      audit: 'audit.opened',
      actor: entry.actor,
      rate: 'expensive',
    });
  }

  private async form(ctx: CallContext, pool: Pool, shown: Shown = {}): Promise<HttpReply> {
    const { closed, use, places } = await this.openings.roomOf(pool);
    const title = ctx.t('open_host');
    const back = html`<p><a class="button" href="/pool">${ctx.t('back')}</a></p>`;
    if (closed) return this.layout.page(ctx, title, back, { pool, problem: ctx.t('portal_over'), status: 403 });
    if (places.length === 0) return this.layout.page(ctx, title, back, { pool, problem: ctx.t('portal_no_places'), status: 403 });
    const given = ctx.body;
    const content = html`<section class="card">${usePart(ctx, pool, use)}</section>
      <form method="post" action="/pool/open">
      <input type="hidden" name="request" value="${given.request || randomUUID()}"><div class="grid">
      <label>${ctx.t('host_name')}<input name="host_user" value="${given.host_user ?? ''}" required minlength="6" maxlength="64"
        autocomplete="off" autocapitalize="none" spellcheck="false"><small>${ctx.t('host_name_hint')}</small></label>
      <label>${ctx.t('password')}<input name="host_pass" type="password" maxlength="64" autocomplete="new-password">
        <small>${ctx.t('made_hint')}</small></label>
      <label>${ctx.t('server')}<select name="node">${places.map(
        ({ code, name }) => html`<option value="${code}" ${given.node === code ? html`selected` : ''}>${name}</option>`,
      )}</select></label>
      ${dayField(ctx, pool, given.expire_date ?? pool.expiresOn)}
      ${amountFields(ctx, pool, (name) => given[name] ?? '')}
      </div><div><button class="button">${title}</button></div></form>`;
    return this.layout.page(ctx, title, content, { pool, ...shown });
  }

  private async open(ctx: CallContext, pool: Pool): Promise<HttpReply> {
    const { wish, problems } = readHost(ctx);
    if (Object.keys(problems).length > 0)
      return this.form(ctx, pool, { problem: problemText(ctx, problems), wrong: inWords(ctx, problems), status: 422 });
    const made = wish.password === '' ? newPassword() : null;
    try {
      const password = made ?? wish.password;
      const { host, before } = await this.openings.open(pool.id, { ...wish, password, startsPaused: false }, true);
      // The earlier attempt did not get as far as showing its password.
      if (before === 'begun' && made !== null) await this.svc.hosts.setPassword(host.id, made);
      this.svc.log.info('a sub-reseller opened a host', { pool: pool.id, host: host.id, ip: ctx.ip });
      return this.layout.page(ctx, ctx.t('opened_title'), credentials(ctx, host, before === 'opened' ? null : made, this.svc.site.url()), {
        pool,
        success: ctx.t('host_opened', { user: host.user }),
      });
    } catch (error) {
      const { text, fields } = refusedWords(error, ctx);
      return this.form(ctx, pool, { problem: text, wrong: fields, status: 422 });
    }
  }
}
