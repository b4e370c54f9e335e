import { Controller } from '@nestjs/common';

import { localeOf, toYuan, translate } from '../../common/index.js';
import { Database } from '../../database/index.js';
import type { RequestContext } from '../../operations/index.js';
import { defineList, type ListRow, Page } from '../../web/index.js';
import { HostingAccount } from '../entities/index.js';
import { shownSize } from '../files/index.js';
import { SiteAccess } from '../site-tools/index.js';

import { fieldsOf, programAsked } from './deployment.pages.js';
import { ProgramCatalogue } from './program-catalogue.js';
import { ProgramFit } from './program-fit.js';
import { parametersOf, STEP_KINDS } from './program-steps.js';

/** Hosts a program can be tried out on, of those that are offered to be chosen. */
const MOST_HOSTS = 200;

const isOn = (row: ListRow): boolean => row.qk === 'true';
const id = (row: ListRow): string => String(row.id);

const CATALOGUE = defineList({
  id: 'deploy-programs',
  operation: 'listbs',
  empty: 'deployments.catalogue_empty',
  columns: [
    { field: 'name', title: 'deployments.program', kind: 'named', notes: [{ text: (row) => String(row.jc ?? '').slice(0, 200) }] },
    { field: 'jg', title: 'deployments.price', kind: 'money' },
    {
      field: 'qk',
      title: 'deployments.offer',
      kind: 'badge',
      badges: { true: ['green', 'deployments.on'], false: ['secondary', 'deployments.off'] },
    },
    { field: 'dx', title: 'deployments.archive', whole: true },
    { field: 'sl', title: 'deployments.used' },
  ],
  actions: [
    { label: 'deployments.edit', tone: 'primary', href: (row) => `/admin/program?id=${id(row)}` },
    { label: 'deployments.turn_off', when: isOn, operation: 'cxkg', fields: (row) => ({ id: id(row), kg: 'false' }) },
    { label: 'deployments.turn_on', when: (row) => !isOn(row), operation: 'cxkg', fields: (row) => ({ id: id(row), kg: 'true' }) },
    { label: 'deployments.first', operation: 'cxpx', fields: (row) => ({ idsz: id(row) }) },
    { label: 'deployments.remove', tone: 'danger', operation: 'cxsc', confirm: 'deployments.remove_confirm' },
  ],
});

/** The catalogue of programs, for administrators. */
@Controller()
export class ProgramCataloguePages {
  constructor(
    private readonly catalogue: ProgramCatalogue,
    private readonly database: Database,
    private readonly sites: SiteAccess,
    private readonly fit: ProgramFit,
  ) {}

  @Page({
    side: 'admin',
    path: 'deploy-programs',
    title: 'theme.menu.deploy',
    menu: { icon: 'mdi-rocket-launch-outline', order: 34 },
    lists: [CATALOGUE],
  })
  list(): object {
    return {};
  }

  @Page({ side: 'admin', path: 'program-new', view: 'program', title: 'theme.menu.deploy', needs: ['cxtj'] })
  add({ locale }: RequestContext): object {
    const program = { id: 0, name: '', text: '', price: '', web: 0, database: 0, on: true, form: '[]', steps: '[]', message: '', size: '' };
    return { program, kinds: kindsIn(locale), hosts: [], host: 0, fields: [], problem: false };
  }

  @Page({ side: 'admin', path: 'program', title: 'theme.menu.deploy', needs: ['bssj'] })
  async change(call: RequestContext): Promise<object> {
    const row = await programAsked(this.catalogue, call);
    const [web, database] = row.requiredQuotaMb;
    const program = {
      ...{ id: row.id, name: row.name, text: row.description ?? '', price: toYuan(row.price), web, database, on: row.onShelf },
      ...{ form: pretty(row.form), steps: pretty(row.steps), message: row.doneMessage ?? '' },
      size: row.archiveSize === 0 ? '' : shownSize(row.archiveSize),
    };
    const hosts = await this.database.repository(HostingAccount).find({
      select: { id: true, username: true },
      where: { state: 'active' },
      order: { id: 'ASC' },
      take: MOST_HOSTS,
    });
    const host = hosts.find((one) => String(one.id) === call.query.host);
    const site = host && (await this.sites.ofHost(host.id));
    const fits = site !== undefined && this.fit.problems(site, row).length === 0;
    return {
      program,
      kinds: kindsIn(call.locale),
      hosts: hosts.map(({ id: value, username: text }) => ({ value, text, chosen: value === host?.id })),
      host: host?.id ?? 0,
      fields: fits ? await fieldsOf(this.fit, site, row) : [],
      problem: site !== undefined && !fits,
    };
  }
}

const kindsIn = (locale: string) =>
  STEP_KINDS.map((kind) => ({
    kind,
    title: translate(localeOf(locale), `deploy.kind_${kind}`),
    parameters: parametersOf(kind).join(', '),
  }));

/** JSON as people write it, one thing a line. */
function pretty(items: readonly object[]): string {
  return items.length === 0 ? '[]' : `[\n${items.map((item) => `  ${JSON.stringify(item)}`).join(',\n')}\n]`;
}
