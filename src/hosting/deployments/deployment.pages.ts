import { randomUUID } from 'node:crypto';

import { Controller } from '@nestjs/common';

import { type Locale, localeOf, toYuan } from '../../common/index.js';
import { ANY_SITE } from '../../http/index.js';
import type { RequestContext } from '../../operations/index.js';
import type { ListDeclaration, Scope } from '../../sdk/index.js';
import { defineList, type ListRow, Page, PageMissing } from '../../web/index.js';
import type { DeployProgram } from '../entities/index.js';
import { DatabasePasswords, type OpenSite, SiteAccess, siteVars } from '../site-tools/index.js';

import { localizedText } from './bundled-words.js';
import { DeploymentRecords } from './deployment-records.js';
import { domainsFor } from './program-answers.js';
import { ProgramCatalogue } from './program-catalogue.js';
import { ProgramFit } from './program-fit.js';
import { PROGRAM_PICTURES_PATH } from './program-pictures.js';
import { planOf } from './program-plan.js';
import { ProgramRows } from './program-rows.js';
import { databaseUse } from './program-steps.js';

const named = (row: ListRow): Record<string, string> => ({ bs: String(row.bs), ...(row.host ? { id: String(row.host) } : {}) });

/** Installations on a site. */
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

/** Pages with programs for site owners, and with a site's installations for administrators. */
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
    title: 'deploy.menu.deploy',
    menu: { icon: 'mdi-rocket-launch-outline', order: 16, offer: 'backups' },
    lists: [OFFERED, deploymentsOf('user')],
    // A theme may order a program with a form, see docs/panel-api.md "Programs".
    formTargets: ANY_SITE,
  })
  own(call: RequestContext): Promise<object> {
    return siteVars(this.sites, call, (site) => this.shown(site, '/user/programs'));
  }

  @Page({ side: 'admin', path: 'host-programs', title: 'deploy.menu.deploy', lists: [deploymentsOf('admin')] })
  ofHost(call: RequestContext): Promise<object> {
    return siteVars(this.sites, call, async (site) => ({
      ...(await this.shown(site, `/admin/host-programs?id=${site.account.id}`)),
      host_user: site.account.username,
    }));
  }

  @Page({ side: 'user', path: 'program', title: 'deploy.menu.deploy' })
  async one(call: RequestContext): Promise<object> {
    const program = await requestedProgram(this.catalogue, call);
    if (!program.onShelf) throw new PageMissing();
    const locale = localeOf(call.locale);
    const { id, price } = program;
    const [name, text] = [localizedText(locale, program.name), localizedText(locale, program.description ?? '')];
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
        // New for each page view, so that pressing the button twice orders only once.
        request: randomUUID(),
      };
    });
  }

  /** Returns whether the database gets a new password, which breaks programs that use the present one. */
  private async setsPassword(site: OpenSite, program: DeployProgram): Promise<boolean> {
    const { steps, message } = planOf(program);
    return site.has('database') && databaseUse(steps, message).hasPassword && (await this.passwords.find(site.account.id)) === null;
  }

  private async shown(site: OpenSite, refresh: string): Promise<object> {
    const running = (await this.records.underWay(site.account.id)) !== null;
    return { able: site.has('backups'), running, refresh };
  }
}

/** Returns the program in the page's query. @throws PageMissing */
export async function requestedProgram(catalogue: ProgramCatalogue, { query }: RequestContext): Promise<DeployProgram> {
  const id = Number(query.id);
  const program = Number.isSafeInteger(id) && id > 0 ? await catalogue.find(id).catch(() => null) : null;
  if (!program) throw new PageMissing();
  return program;
}

/** URLs of a program's pictures stored here; a program imported from another panel may name that panel's files. */
export const picturesOf = ({ images }: DeployProgram): string[] => images.filter((address) => address.startsWith(PROGRAM_PICTURES_PATH));

/** Returns the form of a program for pages. */
export async function fieldsOf(fit: ProgramFit, site: OpenSite, program: DeployProgram, locale: Locale): Promise<object[]> {
  const domains = await fit.namesOf(site.account);
  return planOf(program).form.map((field) => ({
    kind: field.cz,
    name: field.blx,
    label: localizedText(locale, field.ltaler),
    value: field.isnr,
    required: field.bt === '是',
    most: field.cdxz,
    number: field.srlx === '数字',
    options: field.cz === 'urlxz' ? domainsFor(field, domains) : field.xknr,
  }));
}
