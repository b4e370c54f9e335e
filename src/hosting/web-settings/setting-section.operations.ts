import { Injectable } from '@nestjs/common';

import { Operation, RawReply } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import { DomainCheck } from '../domains/index.js';
import type { WebSettingsState } from '../driver/index.js';
import { type MaybeHost, type OpenSite, SiteAccess, siteOperations } from '../site-tools/index.js';

import { PRESENT_RULES, REWRITE_TEMPLATES } from './rewrite-templates.js';
import { WebSettingRepository } from './setting-repository.js';
import { settingBody } from './setting-editor.js';
import { refuse } from './setting-errors.js';
import { SectionInput } from './setting-inputs.js';
import { shownBytes } from './setting-values.js';

/** Settings by section, in the format of older single-page themes. Source: docs/panel-api.md "Site settings". */
export const settingSectionOperations = siteOperations((on) => {
  @Injectable()
  class SettingSectionOperations {
    constructor(
      private readonly access: SiteAccess,
      private readonly repository: WebSettingRepository,
      private readonly checks: DomainCheck,
    ) {}

    /** Returns one section of the settings; `msg` is the data. */
    @Operation(on('set_init', SectionInput, null, 'read'))
    async section(input: SectionInput & MaybeHost, ctx: CallContext): Promise<RawReply> {
      const { section } = input;
      const site = await this.access.of(input, ctx, 'read');
      if (section === 'php') return new RawReply(settingBody(ctx, await phpSection(site)));
      // Older themes request this section before their password page, which needs no data.
      if (section === 'xgpass') return new RawReply(settingBody(ctx, {}));
      if (section === 'mysqlcz') return new RawReply(settingBody(ctx, await databaseSection(site)));
      site.port('settings');
      return new RawReply(settingBody(ctx, await this.sectionOf(section, site, await this.repository.of(site.account.id))));
    }

    private async sectionOf(section: string, site: OpenSite, settings: WebSettingsState): Promise<object> {
      switch (section) {
        case 'mrwd':
          return { index: settings.indexes.join(',') };
        case 'yxml':
          return { current: `/${settings.runFolder}`, runPath: `/${settings.runFolder}`, dirs: await folders(site) };
        case 'gzip':
          return { gzip: gzipWire(settings) };
        case 'cache':
          return { list: settings.cache.map(({ suffix, time }) => ({ suffix, time_out: time })) };
        case 'pass':
          return { list: settings.passwords.map(({ name, folder, user }) => ({ name, site_dir: `/${folder}`, user })) };
        case 'url': {
          const target = await this.checks.target(site.account);
          return { btip: target?.type === 'CNAME' ? '' : (target?.value ?? ''), als: target?.value ?? '' };
        }
        case 'wjt':
          site.port('rewrites');
          return { templates: [PRESENT_RULES, ...Object.keys(REWRITE_TEMPLATES)] };
        default:
          return refuse('SECTION', 'section');
      }
    }
  }
  return SettingSectionOperations;
});

/** Returns the PHP version of a site, and those available on its server. */
async function phpSection(site: OpenSite): Promise<object> {
  const [php, list] = await Promise.all([
    site.ask('php', (port, account, deadline) => port.current(account, deadline)),
    site.ask('php', (port, { node }, deadline) => port.versions(node, deadline)),
  ]);
  return { php, list };
}

/** Returns the addresses with remote access to the database. */
async function databaseSection(site: OpenSite): Promise<object> {
  const { addresses } = await site.ask('database', (port, account, deadline) => port.find(account, deadline));
  return { access: addresses.length === 0 ? '127.0.0.1' : addresses.join(',') };
}

/** Returns the compression settings in the wire format. */
const gzipWire = ({ compression: { enabled, level, minBytes, types } }: WebSettingsState): object => ({
  status: enabled,
  level,
  min_len: shownBytes(minBytes),
  types: types.join(' '),
});

/** Returns the folders of the web root, for a selection. */
async function folders(site: OpenSite): Promise<string[]> {
  if (!site.has('files')) return ['/'];
  const wanted = { folder: '/', sort: 'name', descending: false, offset: 0, limit: 200 } as const;
  const { entries } = await site.ask('files', (files, account, deadline) => files.list(account, wanted, deadline));
  return ['/', ...entries.filter(({ type, name }) => type === 'folder' && !name.startsWith('.')).map(({ name }) => `/${name}`)];
}
