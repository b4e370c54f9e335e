import { randomUUID } from 'node:crypto';

import { Controller } from '@nestjs/common';

import { type Locale, localeOf, toYuan } from '../../common/index.js';
import { ANY_SITE } from '../../http/index.js';
import type { RequestContext } from '../../operations/index.js';
import type { ListDeclaration, Scope } from '../../sdk/index.js';
import { defineList, type ListRow, Page, PageMissing } from '../../web/index.js';
import type { DeployProgram } from '../entities/index.js';
import { DatabasePasswords, type OpenSite, SiteAccess, siteVars } from '../site-tools/index.js';

import { wordsFor } from './bundled-words.js';
import { DeploymentRecords } from './deployment-records.js';
import { domainsFor } from './program-answers.js';
import { ProgramCatalogue } from './program-catalogue.js';
import { ProgramFit } from './program-fit.js';
import { PROGRAM_PICTURES_PATH } from './program-pictures.js';
import { planOf } from './program-plan.js';
import { ProgramRows } from './program-rows.js';
import { databaseUse } from './program-steps.js';

const named = (row: ListRow): Record<string, string> => ({ bs: String(row.bs), ...(row.host ? { id: String(row.host) } : {}) });

/** What was installed on a site. */
const deploymentsOf = (side: Scope): ListDeclaration =>
  defineList({
    id: 'deployments',
    operation: 'listbsjl',
    given: side === 'admin' ? ['id'] : [],
    empty: 'deployments.empty',
    columns: [
      {
        field: 'name',
        title: 'deployments.program',
        kind: 'named',
        notes: [{ text: (row) => String(row.bz ?? '') }, { text: (row) => String(row.cw ?? ''), tone: 'danger' }],
      },
      {
        field: 'zt',
        title: 'deployments.state',
        kind: 'badge',
        badges: {
          installing: ['blue', 'deployments.installing'],
          undoing: ['yellow', 'deployments.undoing'],
          done: ['green', 'deployments.done'],
          failed: ['red', 'deployments.failed'],
          undone: ['secondary', 'deployments.undone'],
          broken: ['red', 'deployments.broken'],
        },
      },
      { field: 'date', title: 'deployments.date', kind: 'moment' },
    ],
    actions: [
      {
        label: 'deployments.stop',
        when: (row) => row.zt === 'installing',
        tone: 'danger',
        operation: 'bsqx',
        fields: named,
        confirm: 'deployments.stop_confirm',
        then: 'reload',
      },
      {
        label: 'deployments.undo',
        when: (row) => row.kt === 'true',
        operation: 'bsht',
        fields: named,
        confirm: 'deployments.undo_confirm',
        then: 'reload',
      },
    ],
  });

const OFFERED = defineList({
  id: 'programs',
  operation: 'deploy_list',
  empty: 'deployments.none_offered',
  whole: true,
  columns: [
    {
      field: 'name',
      title: 'deployments.program',
      kind: 'named',
      notes: [{ text: (row) => String(row.jc ?? '') }, { text: (row) => String(row.bz ?? ''), tone: 'danger' }],
    },
    { field: 'jg', title: 'deployments.price', kind: 'money' },
    { field: 'sl', title: 'deployments.used' },
  ],
  actions: [
    {
      label: 'deployments.choose',
      when: (row) => row.ks === 'true',
      tone: 'primary',
      href: (row) => `/user/program?id=${String(row.id)}`,
    },
  ],
});

/** Programs for owners of sites, and what was installed on a site for administrators. */
@Controller()
export class DeploymentPages {
  constructor(
    private readonly sites: SiteAccess,
    private readonly catalogue: ProgramCatalogue,
    private readonly records: DeploymentRecords,
    private readonly fit: ProgramFit,
    private readonly rows: ProgramRows,
    private readonly passwords: DatabasePasswords,
  ) {}

  @Page({
    side: 'user',
    path: 'programs',
    title: 'theme.menu.deploy',
    menu: { icon: 'mdi-rocket-launch-outline', order: 16, offer: 'backups' },
    lists: [OFFERED, deploymentsOf('user')],
    // A theme may order a program by a form, see docs/panel-api.md "Programs".
    formTargets: ANY_SITE,
  })
  own(call: RequestContext): Promise<object> {
    return siteVars(this.sites, call, (site) => this.shown(site, '/user/programs'));
  }

  @Page({ side: 'admin', path: 'host-programs', title: 'theme.menu.deploy', lists: [deploymentsOf('admin')] })
  ofHost(call: RequestContext): Promise<object> {
    return siteVars(this.sites, call, async (site) => ({
      ...(await this.shown(site, `/admin/host-programs?id=${site.account.id}`)),
      host_user: site.account.username,
    }));
  }

  @Page({ side: 'user', path: 'program', title: 'theme.menu.deploy' })
  async one(call: RequestContext): Promise<object> {
    const program = await programAsked(this.catalogue, call);
    if (!program.onShelf) throw new PageMissing();
    const locale = localeOf(call.locale);
    const { id, price } = program;
    const [name, text] = [wordsFor(locale, program.name), wordsFor(locale, program.description ?? '')];
    return siteVars(this.sites, call, async (site) => {
      const bought = await this.catalogue.boughtBy(site.account.id);
      const { bz, ks } = this.rows.offered(program, site, bought, locale);
      return {
        able: site.has('backups'),
        program: { id, name, text, pictures: picturesOf(program), price: toYuan(price), fits: ks === 'true', problem: bz },
        has: price === 0 || bought.has(id),
        fields: ks === 'true' ? await fieldsOf(this.fit, site, program, locale) : [],
        newPassword: ks === 'true' && (await this.setsPassword(site, program)),
        running: (await this.records.underWay(site.account.id)) !== null,
        // One for each time the page is shown: the button pressed twice orders once.
        request: randomUUID(),
      };
    });
  }

  /** Whether the database gets another password, which what is there now does not know. */
  private async setsPassword(site: OpenSite, program: DeployProgram): Promise<boolean> {
    const { steps, message } = planOf(program);
    return site.has('database') && databaseUse(steps, message).hasPassword && (await this.passwords.find(site.account.id)) === null;
  }

  private async shown(site: OpenSite, refresh: string): Promise<object> {
    const running = (await this.records.underWay(site.account.id)) !== null;
    return { able: site.has('backups'), running, refresh };
  }
}

/** The program a page is asked for. @throws PageMissing */
export async function programAsked(catalogue: ProgramCatalogue, { query }: RequestContext): Promise<DeployProgram> {
  const id = Number(query.id);
  const program = Number.isSafeInteger(id) && id > 0 ? await catalogue.find(id).catch(() => null) : null;
  if (!program) throw new PageMissing();
  return program;
}

/** Addresses of a program's pictures that are here: one taken over from another panel names files of that. */
export const picturesOf = ({ images }: DeployProgram): string[] => images.filter((address) => address.startsWith(PROGRAM_PICTURES_PATH));

/** The form of a program as pages show it. */
export async function fieldsOf(fit: ProgramFit, site: OpenSite, program: DeployProgram, locale: Locale): Promise<object[]> {
  const domains = await fit.namesOf(site.account);
  return planOf(program).form.map((field) => ({
    kind: field.cz,
    name: field.blx,
    label: wordsFor(locale, field.ltaler),
    value: field.isnr,
    required: field.bt === '是',
    most: field.cdxz,
    number: field.srlx === '数字',
    options: field.cz === 'urlxz' ? domainsFor(field, domains) : field.xknr,
  }));
}
