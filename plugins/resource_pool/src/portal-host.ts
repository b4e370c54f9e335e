import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { isRefusedForm, onwards } from '@svc/page-kit';
import {
  html,
  SVC_FACADE,
  type CallContext,
  type FormValues,
  type HostRecord,
  type HttpReply,
  type SafeHtml,
  type SvcFacade,
} from '@svc/sdk';

import { FIELDS, RESOURCES } from './amounts.js';
import { idOf } from './form-fields.js';
import { lastDayForm, limitsForm } from './host-input.js';
import { HOST_ACTIONS, HostActions, type HostAction } from './host-actions.js';
import { Layout, type Shown } from './layout.js';
import { SUSPENDED } from './openings.js';
import { Pools, type Pool } from './pools.js';
import { PortalEntry } from './portal-entry.js';
import { amountFields, dayField, secret, stateBadge } from './portal-parts.js';
import { refusedWords } from './refusals.js';
import { Servers } from './servers.js';
import { limitText } from './words.js';

/** State of a host's page after an action. */
interface HostShown {
  /** A generated password, shown only once. */
  readonly password?: string;
  /** Input of a rejected form. */
  readonly typed?: CallContext['body'];
}

/** Page on which a sub-reseller manages a host. */
@Injectable()
export class PortalHost implements OnModuleInit {
  constructor(
    @Inject(SVC_FACADE) private readonly svc: SvcFacade,
    @Inject(Pools) private readonly pools: Pools,
    @Inject(Servers) private readonly servers: Servers,
    @Inject(HostActions) private readonly actions: HostActions,
    @Inject(PortalEntry) private readonly entry: PortalEntry,
    @Inject(Layout) private readonly layout: Layout,
  ) {}

  onModuleInit(): void {
    const { svc, entry } = this;
    svc.svc_register_route('GET', '/pool/host/{id}', ({ id }, ctx) => entry.signedIn(ctx, (pool) => this.host(ctx, pool, idOf(id))));
    for (const action of HOST_ACTIONS)
      svc.svc_register_route(
        'POST',
        `/pool/host/{id}/${action}`,
        ({ id }, ctx) => entry.signedIn(ctx, (pool) => this.act(ctx, pool, idOf(id), action)),
        10,
        null,
        { audit: `audit.${action}`, actor: entry.actor, rate: 'expensive' },
      );
    // Answers to actions are shown at the actions' own URLs, which a reload requests with GET.
    svc.svc_register_route('GET', '/pool/host/{id}/{action}', async ({ id }) => onwards(`/pool/host/${idOf(id)}`));
  }

  private async host(ctx: CallContext, pool: Pool, id: number, shown: Shown & HostShown = {}): Promise<HttpReply> {
    const host = await this.actions.hostOf(pool, id);
    if (!host) {
      const back = html`<p><a class="button" href="/pool">${ctx.t('back')}</a></p>`;
      return this.layout.page(ctx, ctx.t('refused_HOST_MISSING'), back, { pool, status: 404 });
    }
    const isSuspended = host.pauseReasons.includes(SUSPENDED);
    const isOpen = this.pools.closed(pool) === null;
    const { typed = {} } = shown;
    const day = typed.expire_date ?? host.expiresOn ?? '';
    const version = (values: FormValues): SafeHtml =>
      html`<input type="hidden" name="row_version" value="${this.svc.svc_row_version(values)}">`;
    const form = (action: HostAction, title: string, fields: SafeHtml, tone = ''): SafeHtml => html`<form method="post"
      action="/pool/host/${host.id}/${action}"><h2>${ctx.t(title)}</h2>${fields}
      <div><button class="button ${tone}">${ctx.t(`do_${action}`)}</button></div></form>`;
    const content = html`${shown.password ? secret(ctx, shown.password) : ''}
      <dl><dt>${ctx.t('status')}</dt><dd>${stateBadge(ctx, host, host.id)}</dd>
      <dt>${ctx.t('site_address')}</dt><dd><a href="${host.url}" target="_blank" rel="noopener">${host.url}</a></dd>
      <dt>${ctx.t('host_sign_in')}</dt><dd><a href="/user/login" target="_blank" rel="noopener">${this.svc.site.url()}/user/login</a></dd>
      <dt>${ctx.t('server')}</dt><dd>${await this.serverName(host)}</dd>
      ${RESOURCES.map((resource) => html`<dt>${ctx.t(resource)}</dt><dd>${limitText(ctx, host[resource], resource)}</dd>`)}
      <dt>${ctx.t('domains')}</dt><dd>${host.domains === 0 ? ctx.t('endless') : host.domains}</dd>
      <dt>${ctx.t('last_day')}</dt><dd>${host.expiresOn ?? ctx.t('never')}</dd></dl>
      ${isOpen ? '' : html`<p class="alert" role="alert">${ctx.t('portal_over')}</p>`}
      <div class="deeds">
      ${isOpen ? form('renew', 'title_renew', html`${version(lastDayForm(host))}${dayField(ctx, pool, day)}`) : ''}
      ${
        isSuspended
          ? form('resume', 'title_resume', html`<p>${ctx.t('resume_text')}</p>`)
          : form('suspend', 'title_suspend', html`<p>${ctx.t('suspend_text')}</p>`)
      }
      ${
        isOpen
          ? form(
              'limits',
              'title_limits',
              html`${version(limitsForm(host))}${amountFields(ctx, pool, (name, value) => typed[name] ?? String(value ?? ''), host)}`,
            )
          : ''
      }
      ${form(
        'reset',
        'title_reset',
        html`<label>${ctx.t('new_password')}<input name="password" type="password" maxlength="64" autocomplete="new-password">
          <small>${ctx.t('made_hint')}</small></label>`,
      )}
      ${form(
        'delete',
        'title_delete',
        html`<p>${ctx.t('delete_text')}</p><label>${ctx.t('delete_type', { user: host.user })}<input name="confirm"
          value="${typed.confirm ?? ''}" required maxlength="64" autocomplete="off" autocapitalize="none" spellcheck="false"></label>`,
        'danger',
      )}</div>
      <p><a href="/pool">${ctx.t('back')}</a></p>`;
    return this.layout.page(ctx, host.user, content, { pool, at: `/pool/host/${host.id}`, ...shown });
  }

  private async act(ctx: CallContext, pool: Pool, hostId: number, action: HostAction): Promise<HttpReply> {
    try {
      const { text, password } = await this.actions.run(action, pool, hostId, ctx);
      if (action === 'delete') return onwards('/pool?done=deleted');
      return await this.host(ctx, pool, hostId, { success: text, ...(password !== undefined && { password }) });
    } catch (error) {
      return this.host(ctx, pool, hostId, { ...refusedBy(error, ctx), status: 422, typed: ctx.body });
    }
  }

  private async serverName({ node }: HostRecord): Promise<string> {
    return (await this.servers.all()).find(({ code }) => code === node)?.name ?? node;
  }
}

/** Describes why an action was rejected, by field, with the current values of fields that were changed meanwhile. */
function refusedBy(error: unknown, ctx: CallContext): Pick<Shown, 'problem' | 'wrong'> {
  if (!isRefusedForm(error)) {
    const { text, fields } = refusedWords(error, ctx);
    // The password field has a different name here than in the opening form.
    const { host_pass: password, ...wrong } = fields;
    return { problem: text, wrong: password === undefined ? wrong : { ...wrong, password } };
  }
  const labels = new Map([
    ['expire_date', 'last_day'],
    ['domain_count', 'domains'],
    ...RESOURCES.map((resource) => [FIELDS[resource], resource] as const),
  ]);
  const fields = Object.entries(error.fields).map(([name, text]) => `${ctx.t(labels.get(name) ?? name)}: ${text}`);
  return { problem: [error.message, ...fields].join(' · '), wrong: error.fields };
}
