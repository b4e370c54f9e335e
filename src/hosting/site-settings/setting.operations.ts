import { randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { localeOf, translate } from '../../common/index.js';
import { ListReply, NoInput, Operation, type OperationDeclaration, RawReply, SuccessReply } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import { DomainBook, DomainCheck } from '../domains/index.js';
import type { SiteSettingsState } from '../driver/index.js';
import { HostingError } from '../hosting-errors.js';
import { type MaybeHost, type OpenSite, SiteAccess, siteOperations } from '../site-tools/index.js';
import { hashFolderPassword, leadsInCircle } from '../sites/index.js';
import { SitesAddress } from '../sites-address.js';

import '../texts.js';

import { SettingBook } from './setting-book.js';
import { refuse } from './setting-errors.js';
import {
  CacheInput,
  CompressionInput,
  ErrorPagesInput,
  HostRedirectInput,
  HotlinkInput,
  IndexInput,
  PasswordInput,
  PasswordNameInput,
  RedirectIdInput,
  RedirectInput,
  RunFolderInput,
  SectionInput,
} from './setting-inputs.js';
import {
  MOST_ENTRIES,
  readBytes,
  readCacheRule,
  readFolder,
  readHosts,
  readIndexes,
  readPage,
  readRedirect,
  readSuffixes,
  readTypes,
  shownBytes,
} from './setting-values.js';

/** How a site is served: the own one, or that of any host. Source: docs/panel-api.md "Site settings". */
export const settingOperations = siteOperations((on, side) => {
  /** On the admin side each row names its host, for what is done with it. */
  const withHost = (row: Record<string, unknown>, { id }: MaybeHost): Record<string, unknown> =>
    side === 'admin' ? { ...row, host: String(id) } : row;
  /** Further names, which programs of owners use. */
  const also = (...names: string[]): Pick<OperationDeclaration, 'also'> => (side === 'user' ? { also: names } : {});

  @Injectable()
  class SettingOperations {
    constructor(
      private readonly access: SiteAccess,
      private readonly book: SettingBook,
      private readonly domains: DomainBook,
      private readonly checks: DomainCheck,
      private readonly sites: SitesAddress,
    ) {}

    /** One part of the settings as older single-page themes read it: `msg` is the data. */
    @Operation(on('set_init', SectionInput, null, 'read'))
    async section(input: SectionInput & MaybeHost, ctx: CallContext): Promise<RawReply> {
      const { section } = input;
      const site = await this.access.of(input, ctx, 'look');
      site.port('settings');
      return data(ctx, await this.sectionOf(section, site, await this.book.of(site.account.id)));
    }

    @Operation(on('xgmrwd', IndexInput, 'hosting.audit_setting_index', 'write'))
    setIndexes(input: IndexInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const { ml } = input;
      const indexes = readIndexes(ml);
      return this.save(input, ctx, () => ({ indexes }));
    }

    @Operation(on('setyxml', RunFolderInput, 'hosting.audit_setting_folder', 'write'))
    setRunFolder(input: RunFolderInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const { wb } = input;
      const runFolder = readFolder(wb, 'wb');
      return this.save(input, ctx, () => ({ runFolder }));
    }

    @Operation({ ...on('setgzip', CompressionInput, 'hosting.audit_setting_gzip', 'write'), ...also('gzip') })
    setCompression(input: CompressionInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const { action, level, min_len, types } = input;
      const enabled = !['off', '0', 'false'].includes(action.toLowerCase());
      if (level !== undefined && (level < 1 || level > 9)) refuse('LEVEL', 'level');
      const minBytes = min_len ? readBytes(min_len) : undefined;
      const wanted = types ? readTypes(types) : undefined;
      return this.save(input, ctx, ({ compression }) => ({
        compression: {
          enabled,
          level: level ?? compression.level,
          minBytes: minBytes ?? compression.minBytes,
          types: wanted ?? compression.types,
        },
      }));
    }

    @Operation(on('cache_list', NoInput, null, 'read'))
    async cacheRules(input: NoInput & MaybeHost, ctx: CallContext): Promise<RawReply> {
      const { cache } = await this.present(input, ctx);
      const list = cache.map(({ suffix, time }) => ({ id: suffix, suffix, time_out: time }));
      return new ListData(
        dataBody(ctx, { list }),
        list.map((row) => withHost(row, input)),
      );
    }

    @Operation({ ...on('cacheadd', CacheInput, 'hosting.audit_setting_cache', 'write'), ...also('addcache', 'cache_add') })
    addCache(input: CacheInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const rule = readCacheRule(input.suffix || input.ext || '', input.time_out || input.time || '30d');
      return this.save(
        input,
        ctx,
        ({ cache }) => {
          if (cache.some(({ suffix }) => suffix === rule.suffix)) refuse('TAKEN', 'suffix', { name: rule.suffix });
          if (cache.length >= MOST_ENTRIES) refuse('TOO_MANY', 'suffix', { n: MOST_ENTRIES });
          return { cache: [...cache, rule] };
        },
        'hosting.setting_added',
      );
    }

    @Operation({
      ...on('cacheedit', CacheInput, 'hosting.audit_setting_cache', 'write'),
      ...also('editcache', 'cacheupdate', 'setcache', 'cache', 'cache_edit'),
    })
    editCache(input: CacheInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const rule = readCacheRule(input.suffix || input.ext || '', input.time_out || input.time || '30d');
      const old = input.old_suffix ? readSuffixes(input.old_suffix, 'old_suffix').join(',') : rule.suffix;
      return this.save(input, ctx, ({ cache }) => {
        if (!cache.some(({ suffix }) => suffix === old)) refuse('MISSING', 'suffix', { name: old });
        if (old !== rule.suffix && cache.some(({ suffix }) => suffix === rule.suffix)) refuse('TAKEN', 'suffix', { name: rule.suffix });
        return { cache: cache.map((present) => (present.suffix === old ? rule : present)) };
      });
    }

    @Operation({
      ...on('cachedel', CacheInput, 'hosting.audit_setting_cache', 'write'),
      ...also('delcache', 'cachedelete', 'deletecache', 'cache_del', 'cache_delete'),
    })
    removeCache(input: CacheInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const gone = readSuffixes(input.suffix || input.ext || '', 'suffix').join(',');
      return this.save(
        input,
        ctx,
        ({ cache }) => {
          if (!cache.some(({ suffix }) => suffix === gone)) refuse('MISSING', 'suffix', { name: gone });
          return { cache: cache.filter(({ suffix }) => suffix !== gone) };
        },
        'hosting.setting_removed',
      );
    }

    @Operation(on('pass_list', NoInput, null, 'read'))
    async passwords(input: NoInput & MaybeHost, ctx: CallContext): Promise<RawReply> {
      const { passwords } = await this.present(input, ctx);
      const list = passwords.map(({ name, folder, user }) => ({ id: name, name, site_dir: `/${folder}`, user }));
      return new ListData(
        dataBody(ctx, { list }),
        list.map((row) => withHost(row, input)),
      );
    }

    @Operation(on('tjmmfw', PasswordInput, 'hosting.audit_setting_password', 'write'))
    async addPassword(input: PasswordInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const { name, mbml, user, pass } = input;
      const folder = readFolder(mbml, 'mbml');
      const hash = await hashFolderPassword(pass);
      return this.save(
        input,
        ctx,
        ({ passwords }) => {
          if (passwords.some((present) => present.name === name)) refuse('TAKEN', 'name', { name });
          if (passwords.some((present) => present.folder === folder && present.user === user)) refuse('TAKEN', 'user', { name: user });
          if (passwords.length >= MOST_ENTRIES) refuse('TOO_MANY', 'name', { n: MOST_ENTRIES });
          return { passwords: [...passwords, { name, folder, user, hash }] };
        },
        'hosting.setting_added',
      );
    }

    @Operation(on('scmmfw', PasswordNameInput, 'hosting.audit_setting_password', 'write'))
    removePassword(input: PasswordNameInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const { mb, name } = input;
      const gone = mb || name || '';
      return this.save(
        input,
        ctx,
        ({ passwords }) => {
          if (!passwords.some((present) => present.name === gone)) refuse('MISSING', 'mb', { name: gone });
          return { passwords: passwords.filter((present) => present.name !== gone) };
        },
        'hosting.setting_removed',
      );
    }

    @Operation(on('getfdl', NoInput, null, 'read'))
    async hotlink(input: NoInput & MaybeHost, ctx: CallContext): Promise<RawReply> {
      const { enabled, suffixes, domains, allowEmpty, status } = (await this.present(input, ctx)).hotlink;
      return new RawReply({
        fix: suffixes.join(','),
        domains: domains.join(','),
        status: enabled,
        none: allowEmpty,
        http_status: allowEmpty,
        return_rule: String(status),
      });
    }

    @Operation(on('fdlkg', HotlinkInput, 'hosting.audit_setting_hotlink', 'write'))
    setHotlink(input: HotlinkInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const suffixes = input.fix ? readSuffixes(input.fix, 'fix') : undefined;
      const domains = input.domains === undefined ? undefined : readHosts(input.domains);
      return this.save(input, ctx, ({ hotlink }) => ({
        hotlink: {
          enabled: input.status ?? hotlink.enabled,
          suffixes: suffixes ?? hotlink.suffixes,
          domains: domains ?? hotlink.domains,
          allowEmpty: input.http_status ?? hotlink.allowEmpty,
          status: input.return_rule === undefined ? hotlink.status : input.return_rule === '403' ? 403 : 404,
        },
      }));
    }

    @Operation(on('cdxlb', NoInput, null, 'read'))
    async redirects(input: NoInput & MaybeHost, ctx: CallContext): Promise<ListReply> {
      const { redirects } = await this.present(input, ctx);
      return new ListReply(
        redirects.length,
        redirects.map(({ id, from, to, status }) => withHost({ id, ly: from, mb: to, lx: status }, input)),
      );
    }

    @Operation(on('cdxtj', RedirectInput, 'hosting.audit_setting_redirect', 'write'))
    async addRedirect(input: RedirectInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const { ly, mb, lx } = input;
      const redirect = { id: randomBytes(6).toString('hex'), ...readRedirect(ly, mb), status: lx };
      const site = await this.access.of(input, ctx, 'change');
      const own = new Set([this.sites.nameOf(site.account.username), ...(await this.domains.all(site.account.id)).map(({ name }) => name)]);
      return this.saveOn(
        site,
        ({ redirects }) => {
          if (redirects.some(({ from }) => from === redirect.from)) refuse('TAKEN', 'ly', { name: redirect.from });
          if (redirects.length >= MOST_ENTRIES) refuse('TOO_MANY', 'ly', { n: MOST_ENTRIES });
          const all = [...redirects, redirect];
          if (all.some((start) => leadsInCircle(all, start, (to) => pathOn(own, to)))) refuse('CIRCLE', 'mb', { to: redirect.to });
          return { redirects: all };
        },
        'hosting.setting_added',
      );
    }

    @Operation(on('cdxsc', side === 'admin' ? HostRedirectInput : RedirectIdInput, 'hosting.audit_setting_redirect', 'write'))
    removeRedirect(input: RedirectIdInput | (HostRedirectInput & MaybeHost), ctx: CallContext): Promise<SuccessReply> {
      const [gone, host]: [string, MaybeHost] = 'cdx' in input ? [input.cdx, input] : [input.id, {}];
      return this.save(
        host,
        ctx,
        ({ redirects }) => {
          if (!redirects.some((present) => present.id === gone)) refuse('MISSING', 'id', { name: gone });
          return { redirects: redirects.filter((present) => present.id !== gone) };
        },
        'hosting.setting_removed',
      );
    }

    @Operation(on('cwymsz', ErrorPagesInput, 'hosting.audit_setting_pages', 'write'))
    setErrorPages(input: ErrorPagesInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const { p403, p404, p503 } = input;
      const given = Object.entries({ 403: p403, 404: p404, 503: p503 }).flatMap(([status, path]) =>
        path === undefined ? [] : [[status, readPage(path, `p${status}`)] as const],
      );
      return this.save(input, ctx, ({ errorPages }) => {
        const pages = Object.entries({ ...errorPages, ...Object.fromEntries(given) }).filter(([, path]) => path !== '');
        return { errorPages: Object.fromEntries(pages) };
      });
    }

    /** What this kind of server cannot do is said, not accepted. */
    private async unable(input: MaybeHost, ctx: CallContext): Promise<never> {
      await this.access.of(input, ctx, 'look');
      throw new HostingError('PORT_MISSING');
    }

    @Operation(on('listphp', NoInput, null, 'read'))
    phpVersions(input: NoInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      return this.unable(input, ctx);
    }

    @Operation(on('phpxg', NoInput, 'hosting.audit_setting_unable', 'write'))
    setPhp(input: NoInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      return this.unable(input, ctx);
    }

    @Operation(on('hqjt', NoInput, null, 'read'))
    rewrites(input: NoInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      return this.unable(input, ctx);
    }

    @Operation(on('setwjt', NoInput, 'hosting.audit_setting_unable', 'write'))
    setRewrites(input: NoInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      return this.unable(input, ctx);
    }

    @Operation(on('fzjh', NoInput, 'hosting.audit_setting_unable', 'write'))
    setProxy(input: NoInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      return this.unable(input, ctx);
    }

    private async present(input: MaybeHost, ctx: CallContext): Promise<SiteSettingsState> {
      const site = await this.access.of(input, ctx, 'look');
      site.port('settings');
      return this.book.of(site.account.id);
    }

    private async save(input: MaybeHost, ctx: CallContext, change: Change, text?: string): Promise<SuccessReply> {
      return this.saveOn(await this.access.of(input, ctx, 'change'), change, text);
    }

    private async saveOn(site: OpenSite, change: Change, text = 'hosting.setting_saved'): Promise<SuccessReply> {
      await this.book.change(site, change);
      return new SuccessReply(text, {}, { host: site.account.username });
    }

    private async sectionOf(section: string, site: OpenSite, settings: SiteSettingsState): Promise<object> {
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
        case 'php':
        case 'wjt':
        case 'mysqlcz':
          throw new HostingError('PORT_MISSING');
        default:
          return refuse('SECTION', 'section');
      }
    }
  }
  return SettingOperations;
});

type Change = (present: SiteSettingsState) => Partial<SiteSettingsState>;

/** Compression as the wire has it. */
export const gzipWire = ({ compression: { enabled, level, minBytes, types } }: SiteSettingsState): object => ({
  status: enabled,
  level,
  min_len: shownBytes(minBytes),
  types: types.join(' '),
});

/** Folders of the web root, for a choice. */
async function folders(site: OpenSite): Promise<string[]> {
  if (!site.has('files')) return ['/'];
  const wanted = { folder: '/', sort: 'name', descending: false, offset: 0, limit: 200 } as const;
  const { entries } = await site.ask('files', (files, account, deadline) => files.list(account, wanted, deadline));
  return ['/', ...entries.filter(({ type, name }) => type === 'folder' && !name.startsWith('.')).map(({ name }) => `/${name}`)];
}

/** The path an address means on this very site; null for one elsewhere. */
function pathOn(own: ReadonlySet<string>, to: string): string | null {
  const { hostname, pathname } = new URL(to, 'http://site.invalid');
  if (!to.startsWith('/') && !own.has(hostname)) return null;
  try {
    return decodeURI(pathname);
  } catch {
    return pathname;
  }
}

const dataBody = (ctx: CallContext, msg: object): object => ({
  success: true,
  qk: 1,
  code: translate(localeOf(ctx.locale), 'hosting.setting_read'),
  msg,
});
const data = (ctx: CallContext, msg: object): RawReply => new RawReply(dataBody(ctx, msg));

/** A list as older programs get it, and beside that as pages read it. */
class ListData extends RawReply {
  constructor(
    body: object,
    readonly rows: readonly object[],
  ) {
    super({ ...body, total: rows.length, rows });
  }
}
