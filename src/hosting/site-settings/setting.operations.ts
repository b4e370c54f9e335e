import { randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { localeOf, translate } from '../../common/index.js';
import { ListReply, NoInput, Operation, type OperationDeclaration, RawReply, SuccessReply } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import { DomainBook, DomainCheck } from '../domains/index.js';
import type { SiteSettingsState } from '../driver/index.js';
import { HostingError } from '../hosting-errors.js';
import { type OpenSite, SiteAccess } from '../site-tools/index.js';
import { hashFolderPassword, leadsInCircle } from '../sites/index.js';
import { SitesAddress } from '../sites-address.js';

import '../texts.js';

import { SettingBook } from './setting-book.js';
import { refuse } from './setting-errors.js';
import {
  CacheInput,
  CompressionInput,
  ErrorPagesInput,
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

const side = { side: 'user', auth: 'user' } as const;
const reads = { ...side, audit: null, rate: 'read' } as const;
const writes = { ...side, rate: 'write' } as const;
const ADD_CACHE = { ...writes, gn: 'cacheadd', input: CacheInput, audit: 'hosting.audit_setting_cache' } as const;
const EDIT_CACHE = { ...ADD_CACHE, gn: 'cacheedit' } as const;
const REMOVE_CACHE = { ...ADD_CACHE, gn: 'cachedel' } as const;
const COMPRESSION = { ...writes, gn: 'setgzip', input: CompressionInput, audit: 'hosting.audit_setting_gzip' } as const;

/** How the own site is served. Source: docs/panel-api.md "Site settings". */
@Injectable()
export class SettingOperations {
  constructor(
    private readonly access: SiteAccess,
    private readonly book: SettingBook,
    private readonly domains: DomainBook,
    private readonly checks: DomainCheck,
    private readonly sites: SitesAddress,
  ) {}

  /** One part of the settings as older single-page themes read it: `msg` is the data. */
  @Operation({ ...reads, gn: 'set_init', input: SectionInput })
  async section({ section }: SectionInput, ctx: CallContext): Promise<RawReply> {
    const site = await this.access.ofOwner(ctx, 'look');
    site.port('settings');
    return data(ctx, await this.sectionOf(section, site, await this.book.of(site.account.id)));
  }

  @Operation({ ...writes, gn: 'xgmrwd', input: IndexInput, audit: 'hosting.audit_setting_index' })
  setIndexes({ ml }: IndexInput, ctx: CallContext): Promise<SuccessReply> {
    const indexes = readIndexes(ml);
    return this.save(ctx, () => ({ indexes }));
  }

  @Operation({ ...writes, gn: 'setyxml', input: RunFolderInput, audit: 'hosting.audit_setting_folder' })
  setRunFolder({ wb }: RunFolderInput, ctx: CallContext): Promise<SuccessReply> {
    const runFolder = readFolder(wb, 'wb');
    return this.save(ctx, () => ({ runFolder }));
  }

  @Operation(COMPRESSION)
  setCompression({ action, level, min_len, types }: CompressionInput, ctx: CallContext): Promise<SuccessReply> {
    const enabled = !['off', '0', 'false'].includes(action.toLowerCase());
    if (level !== undefined && (level < 1 || level > 9)) refuse('LEVEL', 'level');
    const minBytes = min_len ? readBytes(min_len) : undefined;
    const wanted = types ? readTypes(types) : undefined;
    return this.save(ctx, ({ compression }) => ({
      compression: {
        enabled,
        level: level ?? compression.level,
        minBytes: minBytes ?? compression.minBytes,
        types: wanted ?? compression.types,
      },
    }));
  }

  @Operation({ ...reads, gn: 'cache_list', input: NoInput })
  async cacheRules(_input: NoInput, ctx: CallContext): Promise<RawReply> {
    const { cache } = await this.present(ctx);
    const list = cache.map(({ suffix, time }) => ({ id: suffix, suffix, time_out: time }));
    return new ListData(dataBody(ctx, { list }), list);
  }

  @Operation(ADD_CACHE)
  addCache(input: CacheInput, ctx: CallContext): Promise<SuccessReply> {
    const rule = readCacheRule(input.suffix || input.ext || '', input.time_out || input.time || '30d');
    return this.save(
      ctx,
      ({ cache }) => {
        if (cache.some(({ suffix }) => suffix === rule.suffix)) refuse('TAKEN', 'suffix', { name: rule.suffix });
        if (cache.length >= MOST_ENTRIES) refuse('TOO_MANY', 'suffix', { n: MOST_ENTRIES });
        return { cache: [...cache, rule] };
      },
      'hosting.setting_added',
    );
  }

  @Operation(EDIT_CACHE)
  editCache(input: CacheInput, ctx: CallContext): Promise<SuccessReply> {
    const rule = readCacheRule(input.suffix || input.ext || '', input.time_out || input.time || '30d');
    const old = input.old_suffix ? readSuffixes(input.old_suffix, 'old_suffix').join(',') : rule.suffix;
    return this.save(ctx, ({ cache }) => {
      if (!cache.some(({ suffix }) => suffix === old)) refuse('MISSING', 'suffix', { name: old });
      if (old !== rule.suffix && cache.some(({ suffix }) => suffix === rule.suffix)) refuse('TAKEN', 'suffix', { name: rule.suffix });
      return { cache: cache.map((present) => (present.suffix === old ? rule : present)) };
    });
  }

  @Operation(REMOVE_CACHE)
  removeCache(input: CacheInput, ctx: CallContext): Promise<SuccessReply> {
    const gone = readSuffixes(input.suffix || input.ext || '', 'suffix').join(',');
    return this.save(
      ctx,
      ({ cache }) => {
        if (!cache.some(({ suffix }) => suffix === gone)) refuse('MISSING', 'suffix', { name: gone });
        return { cache: cache.filter(({ suffix }) => suffix !== gone) };
      },
      'hosting.setting_removed',
    );
  }

  @Operation({ ...reads, gn: 'pass_list', input: NoInput })
  async passwords(_input: NoInput, ctx: CallContext): Promise<RawReply> {
    const { passwords } = await this.present(ctx);
    const list = passwords.map(({ name, folder, user }) => ({ id: name, name, site_dir: `/${folder}`, user }));
    return new ListData(dataBody(ctx, { list }), list);
  }

  @Operation({ ...writes, gn: 'tjmmfw', input: PasswordInput, audit: 'hosting.audit_setting_password' })
  async addPassword({ name, mbml, user, pass }: PasswordInput, ctx: CallContext): Promise<SuccessReply> {
    const folder = readFolder(mbml, 'mbml');
    const hash = await hashFolderPassword(pass);
    return this.save(
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

  @Operation({ ...writes, gn: 'scmmfw', input: PasswordNameInput, audit: 'hosting.audit_setting_password' })
  removePassword({ mb, name }: PasswordNameInput, ctx: CallContext): Promise<SuccessReply> {
    const gone = mb || name || '';
    return this.save(
      ctx,
      ({ passwords }) => {
        if (!passwords.some((present) => present.name === gone)) refuse('MISSING', 'mb', { name: gone });
        return { passwords: passwords.filter((present) => present.name !== gone) };
      },
      'hosting.setting_removed',
    );
  }

  @Operation({ ...reads, gn: 'getfdl', input: NoInput })
  async hotlink(_input: NoInput, ctx: CallContext): Promise<RawReply> {
    const { enabled, suffixes, domains, allowEmpty, status } = (await this.present(ctx)).hotlink;
    return new RawReply({
      fix: suffixes.join(','),
      domains: domains.join(','),
      status: enabled,
      none: allowEmpty,
      http_status: allowEmpty,
      return_rule: String(status),
    });
  }

  @Operation({ ...writes, gn: 'fdlkg', input: HotlinkInput, audit: 'hosting.audit_setting_hotlink' })
  setHotlink(input: HotlinkInput, ctx: CallContext): Promise<SuccessReply> {
    const suffixes = input.fix ? readSuffixes(input.fix, 'fix') : undefined;
    const domains = input.domains === undefined ? undefined : readHosts(input.domains);
    return this.save(ctx, ({ hotlink }) => ({
      hotlink: {
        enabled: input.status ?? hotlink.enabled,
        suffixes: suffixes ?? hotlink.suffixes,
        domains: domains ?? hotlink.domains,
        allowEmpty: input.http_status ?? hotlink.allowEmpty,
        status: input.return_rule === undefined ? hotlink.status : input.return_rule === '403' ? 403 : 404,
      },
    }));
  }

  @Operation({ ...reads, gn: 'cdxlb', input: NoInput })
  async redirects(_input: NoInput, ctx: CallContext): Promise<ListReply> {
    const { redirects } = await this.present(ctx);
    return new ListReply(
      redirects.length,
      redirects.map(({ id, from, to, status }) => ({ id, ly: from, mb: to, lx: status })),
    );
  }

  @Operation({ ...writes, gn: 'cdxtj', input: RedirectInput, audit: 'hosting.audit_setting_redirect' })
  async addRedirect({ ly, mb, lx }: RedirectInput, ctx: CallContext): Promise<SuccessReply> {
    const redirect = { id: randomBytes(6).toString('hex'), ...readRedirect(ly, mb), status: lx };
    const site = await this.access.ofOwner(ctx, 'change');
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

  @Operation({ ...writes, gn: 'cdxsc', input: RedirectIdInput, audit: 'hosting.audit_setting_redirect' })
  removeRedirect({ id }: RedirectIdInput, ctx: CallContext): Promise<SuccessReply> {
    return this.save(
      ctx,
      ({ redirects }) => {
        if (!redirects.some((present) => present.id === id)) refuse('MISSING', 'id', { name: id });
        return { redirects: redirects.filter((present) => present.id !== id) };
      },
      'hosting.setting_removed',
    );
  }

  @Operation({ ...writes, gn: 'cwymsz', input: ErrorPagesInput, audit: 'hosting.audit_setting_pages' })
  setErrorPages({ p403, p404, p503 }: ErrorPagesInput, ctx: CallContext): Promise<SuccessReply> {
    const given = Object.entries({ 403: p403, 404: p404, 503: p503 }).flatMap(([status, path]) =>
      path === undefined ? [] : [[status, readPage(path, `p${status}`)] as const],
    );
    return this.save(ctx, ({ errorPages }) => {
      const pages = Object.entries({ ...errorPages, ...Object.fromEntries(given) }).filter(([, path]) => path !== '');
      return { errorPages: Object.fromEntries(pages) };
    });
  }

  /** What this kind of server cannot do is said, not accepted. */
  private async unable(ctx: CallContext): Promise<never> {
    await this.access.ofOwner(ctx, 'look');
    throw new HostingError('PORT_MISSING');
  }

  @Operation({ ...reads, gn: 'listphp', input: NoInput })
  phpVersions(_input: NoInput, ctx: CallContext): Promise<SuccessReply> {
    return this.unable(ctx);
  }

  @Operation({ ...writes, gn: 'phpxg', input: NoInput, audit: 'hosting.audit_setting_unable' })
  setPhp(_input: NoInput, ctx: CallContext): Promise<SuccessReply> {
    return this.unable(ctx);
  }

  @Operation({ ...reads, gn: 'hqjt', input: NoInput })
  rewrites(_input: NoInput, ctx: CallContext): Promise<SuccessReply> {
    return this.unable(ctx);
  }

  @Operation({ ...writes, gn: 'setwjt', input: NoInput, audit: 'hosting.audit_setting_unable' })
  setRewrites(_input: NoInput, ctx: CallContext): Promise<SuccessReply> {
    return this.unable(ctx);
  }

  private async present(ctx: CallContext): Promise<SiteSettingsState> {
    const site = await this.access.ofOwner(ctx, 'look');
    site.port('settings');
    return this.book.of(site.account.id);
  }

  private async save(ctx: CallContext, change: Change, text?: string): Promise<SuccessReply> {
    return this.saveOn(await this.access.ofOwner(ctx, 'change'), change, text);
  }

  private async saveOn(site: OpenSite, change: Change, text = 'hosting.setting_saved'): Promise<SuccessReply> {
    await this.book.change(site, change);
    return new SuccessReply(text);
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

/** Other names of the same operation, which are in use. */
function alsoAs(
  declaration: OperationDeclaration,
  method: 'addCache' | 'editCache' | 'removeCache' | 'setCompression',
  names: readonly string[],
): void {
  for (const gn of names) {
    const run = function (this: SettingOperations, input: never, ctx: CallContext): Promise<SuccessReply> {
      return this[method](input, ctx);
    };
    const descriptor = { value: run, configurable: true, enumerable: false, writable: true };
    Object.defineProperty(SettingOperations.prototype, gn, descriptor);
    Operation({ ...declaration, gn })(SettingOperations.prototype, gn, descriptor);
  }
}
alsoAs(ADD_CACHE, 'addCache', ['addcache']);
alsoAs(EDIT_CACHE, 'editCache', ['editcache', 'cacheupdate', 'setcache', 'cache']);
alsoAs(REMOVE_CACHE, 'removeCache', ['delcache', 'cachedelete', 'deletecache', 'cache_del', 'cache_delete']);
alsoAs(COMPRESSION, 'setCompression', ['gzip']);
