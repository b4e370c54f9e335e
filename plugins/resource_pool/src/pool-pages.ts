import { randomUUID } from 'node:crypto';

import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { defineList, html, SVC_FACADE, type CallContext, type ListDeclaration, type SafeHtml, type SvcFacade } from '@svc/sdk';

import { FIELDS, RESOURCES, UNITS, type Resource } from './amounts.js';
import { idOf } from './form-fields.js';
import { Openings } from './openings.js';
import { Pools, poolFormOf, type Pool } from './pools.js';
import { Servers, type Place } from './servers.js';
import { usePart } from './use-part.js';
import { quotaHint } from './words.js';

const ADD = '/admin/plugin.php?p=resource_pool&page=add';
const LIST = '/admin/plugin.php?p=resource_pool&page=list';
const HOSTS = '/admin/plugin.php?p=resource_pool&page=hosts';
const OPEN = '/admin/plugin.php?p=resource_pool&page=open';

type Badges = NonNullable<ListDeclaration['columns'][number]['badges']>;
const STATES: Badges = { open: ['green', 'state_open'], off: ['secondary', 'state_off'], over: ['orange', 'state_over'] };
const HOST_STATES: Badges = {
  active: ['green', 'host_active'],
  paused: ['orange', 'host_paused'],
  provisioning: ['yellow', 'host_opening'],
  opening: ['yellow', 'host_opening'],
  gone: ['red', 'host_gone'],
};

const POOLS = defineList({
  id: 'pools',
  operation: 'p_respool_list',
  sort: '-id',
  empty: 'pools_none',
  search: [['name', 'search_pools']],
  filters: [
    {
      field: 'status',
      label: 'status',
      choices: [
        ['enabled', 'state_on'],
        ['disabled', 'state_off'],
      ],
    },
  ],
  columns: [
    {
      field: 'name',
      title: 'pool_name',
      kind: 'named',
      sortable: true,
      href: (row) => `${HOSTS}&pool=${String(row.id)}`,
      notes: [
        { text: (row) => String(row.username) },
        { text: (row, t) => (row.over ? t('over_by', { what: String(row.over) }) : ''), tone: 'danger' },
      ],
    },
    { field: 'hosts', title: 'hosts' },
    { field: 'web_used', title: 'webMb', whole: true },
    { field: 'sql_used', title: 'databaseMb', whole: true },
    { field: 'flow_used', title: 'trafficGb', whole: true },
    { field: 'expire_date', title: 'last_day', kind: 'expiry', sortable: true },
    { field: 'state', title: 'status', kind: 'badge', badges: STATES },
  ],
  actions: [
    { label: 'edit', href: (row) => `${ADD}&id=${String(row.id)}` },
    { label: 'open_host', href: (row) => `${OPEN}&pool=${String(row.id)}`, when: (row) => row.state === 'open' },
    {
      label: 'switch_off',
      operation: 'p_respool_status',
      when: (row) => row.status === 'enabled',
      fields: (row) => ({ id: String(row.id), status: 'disabled' }),
      confirm: 'switch_off_confirm',
    },
    {
      label: 'switch_on',
      operation: 'p_respool_status',
      when: (row) => row.status === 'disabled',
      fields: (row) => ({ id: String(row.id), status: 'enabled' }),
    },
    { label: 'delete', operation: 'p_respool_delete', tone: 'danger', confirm: 'delete_confirm' },
  ],
});

const MEMBERS = defineList({
  id: 'members',
  operation: 'p_respool_hosts',
  given: ['pool'],
  empty: 'members_none',
  search: [['user', 'host_name']],
  totals: {
    operation: 'p_respool_sums',
    figures: [
      { field: 'pool', title: 'pool' },
      { field: 'hosts', title: 'hosts' },
      { field: 'web', title: 'webMb' },
      { field: 'sql', title: 'databaseMb' },
      { field: 'flow', title: 'trafficGb' },
      { field: 'over', title: 'against_quota' },
    ],
  },
  columns: [
    {
      field: 'user',
      title: 'host_name',
      kind: 'named',
      href: (row) => (row.host_id ? `/admin/host?id=${String(row.host_id)}` : ''),
      notes: [{ text: (row) => row.notes as string[], tone: 'danger' }],
    },
    { field: 'node', title: 'server' },
    { field: 'web', title: 'webMb', whole: true },
    { field: 'sql', title: 'databaseMb', whole: true },
    { field: 'flow', title: 'trafficGb', whole: true },
    { field: 'domains', title: 'domains' },
    { field: 'expire_date', title: 'last_day', kind: 'expiry' },
    { field: 'state', title: 'status', kind: 'badge', badges: HOST_STATES },
  ],
  actions: [
    {
      label: 'unbind',
      operation: 'p_respool_unbind_host',
      when: (row) => Number(row.host_id) > 0,
      fields: (row) => ({ pool_id: String(row.pool_id), host_id: String(row.host_id) }),
      confirm: 'unbind_confirm',
    },
  ],
});

/** Administrators' pages of pools. */
@Injectable()
export class PoolPages implements OnModuleInit {
  constructor(
    @Inject(SVC_FACADE) private readonly svc: SvcFacade,
    @Inject(Pools) private readonly pools: Pools,
    @Inject(Openings) private readonly openings: Openings,
    @Inject(Servers) private readonly servers: Servers,
  ) {}

  onModuleInit(): void {
    const { svc } = this;
    svc.svc_register_page('admin', 'list', 'pages/list.liquid', 'menu_pools', { lists: [POOLS] });
    svc.svc_register_page('admin', 'hosts', 'pages/hosts.liquid', 'menu_hosts', { lists: [MEMBERS] });
    svc.svc_register_page('admin', 'add', (ctx) => this.form(ctx), 'menu_add');
    svc.svc_register_page('admin', 'open', (ctx) => this.openPage(ctx), 'open_host');
    svc.svc_register_menu('admin', {
      title: 'menu_pools',
      icon: 'mdi-chart-donut',
      order: 60,
      children: [
        { title: 'menu_list', page: 'list' },
        { title: 'menu_add', page: 'add' },
      ],
    });
    // Stylesheet of the usage bars.
    svc.svc_register_partial_override('admin', 'head', (_vars, ctx) =>
      ctx.query.p === svc.slug ? { after: `<link rel="stylesheet" href="${svc.asset('admin.css')}">` } : null,
    );
  }

  private async form(ctx: CallContext): Promise<string | null> {
    const pool = ctx.query.id === undefined ? null : await this.pools.find(idOf(ctx.query.id));
    if (ctx.query.id !== undefined && pool === null) return null;
    const version = pool && this.svc.svc_row_version(poolFormOf(pool));
    return String(poolForm(ctx, pool, version, await this.servers.all()));
  }

  private async openPage(ctx: CallContext): Promise<string | null> {
    const pool = await this.pools.find(idOf(ctx.query.pool));
    if (pool === null) return null;
    const { closed, use, places } = await this.openings.roomOf(pool);
    const heading = html`<div class="card mb-3"><div class="card-header"><h2 class="card-title">${pool.name}</h2>
      <div class="card-actions"><a href="${HOSTS}&pool=${pool.id}">${ctx.t('hosts_of_pool')}</a></div></div>
      <div class="card-body">${usePart(ctx, pool, use)}</div></div>`;
    if (closed) {
      const fix = `${ADD}&id=${pool.id}`;
      return String(html`${heading}<div class="alert alert-warning" role="alert">${ctx.t(`closed_${closed}`)}
        <a class="alert-link" href="${fix}">${ctx.t('edit')}</a></div>`);
    }
    return String(html`${heading}${openForm(ctx, pool, places)}${bindForm(ctx, pool)}`);
  }
}

interface InputOptions {
  readonly hint?: string;
  readonly type?: string;
  readonly attributes?: SafeHtml;
}

function input(name: string, label: string, value: string | number, { hint = '', type = 'text', attributes }: InputOptions = {}): SafeHtml {
  return html`<div class="col-md-6"><label class="form-label" for="f-${name}">${label}</label>
    <input class="form-control" id="f-${name}" name="${name}" type="${type}" value="${value}" ${attributes ?? ''}>
    ${hint ? html`<small class="form-hint">${hint}</small>` : ''}</div>`;
}

function amountInputs(
  ctx: CallContext,
  values: (resource: Resource) => number | string,
  hintOf: (resource: Resource) => string,
): SafeHtml[] {
  return RESOURCES.map((resource) =>
    input(FIELDS[resource], `${ctx.t(resource)} (${UNITS[resource]})`, values(resource), {
      hint: hintOf(resource),
      attributes: html`inputmode="numeric"`,
    }),
  );
}

function poolForm(ctx: CallContext, pool: Pool | null, version: string | null, places: readonly Place[]): SafeHtml {
  const gone = (pool?.nodes ?? []).filter((code) => places.every((place) => place.code !== code));
  const choices = [
    ...places.map(({ code, name }) => ({ code, name })),
    ...gone.map((code) => ({ code, name: ctx.t('server_gone', { code }) })),
  ];
  return html`<form class="card" data-ajax="p_respool_save" data-done="${LIST}">
    <div class="card-header"><h2 class="card-title">${pool ? pool.name : ctx.t('menu_add')}</h2></div>
    <div class="card-body"><p class="text-secondary">${ctx.t('add_lead')}</p><div class="row g-3">
      <input type="hidden" name="id" value="${pool?.id ?? ''}">
      ${version === null ? '' : html`<input type="hidden" name="row_version" value="${version}">`}
      ${input('name', ctx.t('pool_name'), pool?.name ?? '', { hint: ctx.t('pool_name_hint'), attributes: html`maxlength="120" required` })}
      ${input('username', ctx.t('username'), pool?.username ?? '', {
        hint: ctx.t('username_hint'),
        attributes: html`maxlength="32" required autocomplete="off" autocapitalize="none" spellcheck="false"`,
      })}
      ${input('password', ctx.t('password'), '', {
        hint: ctx.t(pool ? 'password_keep_hint' : 'password_hint'),
        type: 'password',
        attributes: html`maxlength="64" autocomplete="new-password" ${pool ? '' : html`required`}`,
      })}
      <div class="col-md-6"><label class="form-label" for="f-status">${ctx.t('status')}</label>
        <select class="form-select" id="f-status" name="status"><option value="enabled">${ctx.t('state_on')}</option>
        <option value="disabled" ${pool && !pool.enabled ? html`selected` : ''}>${ctx.t('state_off')}</option></select>
        <small class="form-hint">${ctx.t('status_hint')}</small></div>
      ${amountInputs(
        ctx,
        (resource) => pool?.[resource] ?? '',
        () => ctx.t('zero_endless'),
      )}
      ${input('expire_date', ctx.t('last_day'), pool?.expiresOn ?? '', { hint: ctx.t('last_day_hint'), type: 'date' })}
      <div class="col-12"><fieldset><legend class="form-label fs-5">${ctx.t('servers')}</legend>
        ${choices.map(
          ({ code, name }) => html`<label class="form-check form-check-inline"><input class="form-check-input" type="checkbox" name="nodes"
            value="${code}" data-many ${pool?.nodes.includes(code) ? html`checked` : ''}>
            <span class="form-check-label">${name}</span></label>`,
        )}
        <small class="form-hint">${ctx.t(choices.length === 0 ? 'servers_none' : 'servers_hint')}</small></fieldset></div>
      <div class="col-12"><label class="form-label" for="f-remark">${ctx.t('remark')}</label>
        <input class="form-control" id="f-remark" name="remark" maxlength="255" value="${pool?.remark ?? ''}">
        <small class="form-hint">${ctx.t('remark_hint')}</small></div>
    </div></div>
    <div class="card-footer text-end"><a class="btn me-2" href="${LIST}">${ctx.t('cancel')}</a><button
      class="btn btn-primary">${ctx.t('save')}</button></div></form>`;
}

function openForm(ctx: CallContext, pool: Pool, places: readonly Place[]): SafeHtml {
  if (places.length === 0) return html`<div class="alert alert-warning" role="alert">${ctx.t('no_places')}</div>`;
  return html`<form class="card mb-3" data-ajax="p_respool_open_host" data-done="${HOSTS}&pool=${pool.id}">
    <div class="card-header"><h2 class="card-title">${ctx.t('open_host')}</h2></div>
    <div class="card-body"><div class="row g-3"><input type="hidden" name="pool_id" value="${pool.id}">
      <input type="hidden" name="request" value="${randomUUID()}">
      ${input('host_user', ctx.t('host_name'), '', {
        hint: ctx.t('host_name_hint'),
        attributes: html`required maxlength="64" autocomplete="off" autocapitalize="none" spellcheck="false"`,
      })}
      ${input('host_pass', ctx.t('password'), '', {
        hint: ctx.t('host_pass_hint'),
        type: 'password',
        attributes: html`required maxlength="64" autocomplete="new-password"`,
      })}
      <div class="col-md-6"><label class="form-label" for="f-node">${ctx.t('server')}</label><select class="form-select" id="f-node"
        name="node">${places.map(({ code, name }) => html`<option value="${code}">${name}</option>`)}</select></div>
      ${input('expire_date', ctx.t('last_day'), pool.expiresOn, { hint: ctx.t('never_hint'), type: 'date' })}
      ${amountInputs(
        ctx,
        (resource) => (pool[resource] === 0 ? 0 : ''),
        (resource) => quotaHint(ctx, pool, resource),
      )}
      ${input('domain_count', ctx.t('domains'), 0, { hint: ctx.t('zero_endless'), attributes: html`inputmode="numeric"` })}
      <div class="col-md-6"><label class="form-label" for="f-host_status">${ctx.t('status')}</label>
        <select class="form-select" id="f-host_status" name="host_status"><option value="true">${ctx.t('host_active')}</option>
        <option value="false">${ctx.t('host_paused')}</option></select></div>
    </div></div>
    <div class="card-footer text-end"><button class="btn btn-primary">${ctx.t('open_host')}</button></div></form>`;
}

function bindForm(ctx: CallContext, pool: Pool): SafeHtml {
  return html`<form class="card" data-ajax="p_respool_bind_host" data-done="${HOSTS}&pool=${pool.id}">
    <div class="card-header"><h2 class="card-title">${ctx.t('bind_host')}</h2></div>
    <div class="card-body"><p class="text-secondary">${ctx.t('bind_lead')}</p><input type="hidden" name="pool_id" value="${pool.id}">
      <div class="row g-3">${input('host_id', ctx.t('bind_name'), '', {
        hint: ctx.t('bind_name_hint'),
        attributes: html`required maxlength="64" autocomplete="off" autocapitalize="none" spellcheck="false"`,
      })}</div></div>
    <div class="card-footer text-end"><button class="btn btn-primary">${ctx.t('bind_host')}</button></div></form>`;
}
