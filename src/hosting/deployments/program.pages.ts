import { Controller } from '@nestjs/common';

import { type Locale, localeOf, toYuan, translate } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { versionOf } from '../../http/index.js';
import type { RequestContext } from '../../operations/index.js';
import { defineList, type ListRow, Page } from '../../web/index.js';
import { HostingAccount } from '../entities/index.js';
import { shownSize } from '../files/index.js';
import { SiteAccess } from '../site-tools/index.js';

import { descriptionOf } from './bundled-programs.js';
import { bundledManifests, defaultText, localizedText } from './bundled-words.js';
import { fieldsOf, picturesOf, requestedProgram } from './deployment.pages.js';
import { ProgramCatalogue, programForm } from './program-catalogue.js';
import { ProgramFit } from './program-fit.js';
import { FIELD_KINDS, partsOfField, type ProgramField } from './program-form.js';
import { parametersOf, STEP_KINDS } from './program-steps.js';

/** Maximum number of hosts offered for testing a program. */
const MAX_HOSTS = 200;

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
    title: 'deploy.menu.deploy',
    menu: { icon: 'mdi-rocket-launch-outline', order: 21.5 },
    lists: [CATALOGUE],
  })
  list(): object {
    return {};
  }

  @Page({ side: 'admin', path: 'program-new', view: 'program', title: 'deploy.menu.deploy', needs: ['cxtj'] })
  add({ locale: of, query }: RequestContext): object {
    const locale = localeOf(of);
    const shown = (text: string | null = ''): string => localizedText(locale, text ?? '');
    const startable = bundledManifests().filter(({ from }) => from !== undefined);
    const manifest = startable.find(({ slug }) => slug === query.of);
    const words = manifest && descriptionOf(manifest);
    const [web, database] = words?.requiredQuotaMb ?? [0, 0];
    const program = {
      ...{
        id: 0,
        name: shown(words?.name),
        text: shown(words?.description),
        price: '',
        web,
        database,
        on: true,
        url: manifest?.from ?? '',
      },
      ...{
        form: pretty(words?.form.map((field) => ({ ...field, ltaler: shown((field as ProgramField).ltaler) })) ?? []),
        steps: pretty(words?.steps ?? []),
      },
      ...{ message: '', size: '', pictures: [] },
    };
    const templates = startable.map(({ slug, name }) => ({ slug, name: shown(defaultText(name)), chosen: slug === manifest?.slug }));
    return { program, templates, ...editorIn(locale), hosts: [], host: 0, fields: [], problem: false };
  }

  @Page({ side: 'admin', path: 'program', title: 'deploy.menu.deploy', needs: ['bssj'] })
  async change(call: RequestContext): Promise<object> {
    const row = await requestedProgram(this.catalogue, call);
    const [web, database] = row.requiredQuotaMb;
    const program = {
      ...{ id: row.id, name: row.name, text: row.description ?? '', price: toYuan(row.price), web, database, on: row.onShelf },
      ...{ form: pretty(row.form), steps: pretty(row.steps), message: row.doneMessage ?? '', url: '' },
      pictures: picturesOf(row),
      size: row.archiveSize === 0 ? '' : shownSize(row.archiveSize),
      row_version: versionOf(programForm(row)),
    };
    const hosts = await this.database.repository(HostingAccount).find({
      select: { id: true, username: true },
      where: { state: 'active' },
      order: { id: 'ASC' },
      take: MAX_HOSTS,
    });
    const host = hosts.find((one) => String(one.id) === call.query.host);
    const site = host && (await this.sites.ofHost(host.id));
    const fits = site !== undefined && this.fit.problems(site, row).length === 0;
    return {
      program,
      templates: [],
      ...editorIn(localeOf(call.locale)),
      hosts: hosts.map(({ id: value, username: text }) => ({ value, text, chosen: value === host?.id })),
      host: host?.id ?? 0,
      fields: fits ? await fieldsOf(this.fit, site, row, localeOf(call.locale)) : [],
      problem: site !== undefined && !fits,
    };
  }
}

/** Properties with fixed choices, and those with several lines. */
const CHOICES: Readonly<Record<string, readonly string[]>> = { bt: ['否', '是'], srlx: ['', '数字'], urlxml: ['false', 'true'] };
const LONG = new Set(['nr', 'xknr']);

/** Describes the rows of the form and step editor. */
function editorIn(locale: Locale): { kinds: object[]; fieldKinds: object[] } {
  const part = (parameter: string): object => {
    const name = parameter.replace('?', '');
    const choices = CHOICES[name]?.map((value, index) => ({ value, text: translate(locale, `deploy.part_${name}_${index}`) }));
    return { name, label: translate(locale, `deploy.part_${name}`), long: LONG.has(name), choices: choices ?? [] };
  };
  const row = (kind: string, parameters: readonly string[], key: string) => ({
    kind,
    title: translate(locale, key),
    parameters: parameters.join(', '),
    parts: parameters.map(part),
  });
  return {
    kinds: STEP_KINDS.map((kind) => row(kind, parametersOf(kind), `deploy.kind_${kind}`)),
    fieldKinds: FIELD_KINDS.map((kind) => row(kind, partsOfField(kind), `deploy.field_kind_${kind}`)),
  };
}

/** Formats JSON with one item per line. */
function pretty(items: readonly object[]): string {
  return items.length === 0 ? '[]' : `[\n${items.map((item) => `  ${JSON.stringify(item)}`).join(',\n')}\n]`;
}
