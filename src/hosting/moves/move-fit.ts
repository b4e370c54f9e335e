import { Injectable } from '@nestjs/common';

import { AppError, type Locale, sayWords, type TextRef, translate, type Words } from '../../common/index.js';
import { AccountDrivers, type BoundDriver, driverError } from '../accounts/index.js';
import { CertificateRepository } from '../certificates/index.js';
import { DEFAULT_WEB_SETTINGS, type SitePortName, succeeded } from '../driver/index.js';
import { DomainRepository, DomainCheck } from '../domains/index.js';
import type { HostingAccount } from '../entities/index.js';
import { shownSize } from '../files/index.js';
import { HostingError } from '../hosting-errors.js';
import { WebSettingRepository } from '../web-settings/index.js';
import { programError, shownVersion } from '../site-programs/index.js';
import { OpenSite } from '../site-tools/index.js';

import { databaseIn, readBelongings } from './belongings.js';

/** Result of checking whether a site can move to a server. */
export interface MoveFit {
  /** What the other server does not support, or why it cannot be checked; any entry prevents the move. */
  readonly blocks: readonly Words[];
  /** What changes with the move, and what has to be done manually. */
  readonly notes: readonly TextRef[];
}

/** Translates the result for the reader. */
export const translatedFit = ({ blocks, notes }: MoveFit, locale: Locale) => ({
  blocks: blocks.map((words) => sayWords(locale, words)),
  notes: notes.map((words) => sayWords(locale, words)),
});

/** Result shown on the page of a move if checking both servers takes longer than the page may wait. */
export const translatedTimeout = (locale: Locale) => ({ fits: false, late: translate(locale, 'moves.check_late'), blocks: [], notes: [] });

/** Checks whether another server supports everything a site uses, and names what it does not support. */
@Injectable()
export class MoveFitting {
  constructor(
    private readonly drivers: AccountDrivers,
    private readonly settings: WebSettingRepository,
    private readonly domains: DomainRepository,
    private readonly certificates: CertificateRepository,
    private readonly targets: DomainCheck,
  ) {}

  /**
   * Checks both servers without changing anything.
   *
   * @param code of the other server
   */
  async check(account: HostingAccount, code: string): Promise<MoveFit> {
    try {
      const here = new OpenSite(account, await this.drivers.of(account));
      const bound = await this.drivers.of({ ...account, nodeCode: code, siteId: '' });
      const there = new OpenSite(account, bound);
      const [rows, programs] = [await this.ofRows(here, there), await this.ofPrograms(here, there)];
      const notes = [...programs.notes, ...(await this.ofNames(account, code)), note('still'), note('kept')];
      if (account.webUsedBytes > 0) notes.unshift(note('size', { size: shownSize(account.webUsedBytes) }));
      return { blocks: [...(await namesRefused(bound)), ...rows, ...programs.blocks], notes };
    } catch (error) {
      // An unreachable server also prevents the move.
      if (error instanceof AppError) return { blocks: [error.told], notes: [] };
      throw error;
    }
  }

  /**
   * Returns which domains of the account belong to other sites on the server that still has its old site: domains added since may be taken
   * there. An unreachable server returns none.
   */
  async taken(account: HostingAccount, code: string, siteId: string): Promise<TextRef[]> {
    try {
      const there = { ...account, nodeCode: code, siteId };
      return await this.ofTaken(new OpenSite(there, await this.drivers.of(there)));
    } catch (error) {
      if (error instanceof AppError) return [];
      throw error;
    }
  }

  /** Returns which domains of the account belong to other sites of a server. @throws errors of the server */
  private async ofTaken(there: OpenSite): Promise<TextRef[]> {
    const wanted = (await this.domains.wanted(there.account.id)).map(({ name }) => name);
    if (wanted.length === 0 || !there.has('domains') || !there.port('domains').taken) return [];
    const names = await there.ask('domains', (port, account, deadline) => port.taken!(account, wanted, deadline));
    return names.length === 0 ? [] : [domainTaken(names)];
  }

  /** Checks the site's data in the panel's rows. */
  private async ofRows(here: OpenSite, there: OpenSite): Promise<TextRef[]> {
    const { id } = here.account;
    const blocks: TextRef[] = [];
    for (const side of [here, there]) if (!side.has('backups')) blocks.push(block(side === here ? 'no_reading' : 'no_files'));
    const lacks = (port: SitePortName): boolean => here.has(port) && !there.has(port);
    if (lacks('domains')) {
      const wanted = await this.domains.wanted(id);
      if (wanted.length > 0) blocks.push(block('domains', { names: wanted.map(({ name }) => name).join(', ') }));
    }
    blocks.push(...(await this.ofTaken(there).catch(ignoreTimeout)));
    if (lacks('certificates') && (await this.certificates.of(id))) blocks.push(block('certificate'));
    if (await this.settings.isSet(id)) {
      const set = await this.settings.of(id);
      if (lacks('settings')) blocks.push(block('settings'));
      else if (there.has('settings')) {
        const cannot = (there.port('settings').cannot ?? []).filter(
          (name) => JSON.stringify(set[name]) !== JSON.stringify(DEFAULT_WEB_SETTINGS[name]),
        );
        if (cannot.length > 0) blocks.push(block('some_settings', { names: cannot.join(', ') }));
      }
      if (set.rewrites !== '' && lacks('rewrites')) blocks.push(block('rewrites'));
    }
    return blocks;
  }

  /** Checks the site's data on its server. */
  private async ofPrograms(here: OpenSite, there: OpenSite): Promise<{ blocks: TextRef[]; notes: TextRef[] }> {
    const blocks: TextRef[] = [];
    const notes: TextRef[] = [];
    const { php, commands, access } = await readBelongings(here);
    if (php !== '' && !there.has('php')) blocks.push(block('php', { version: shownVersion(php) }));
    if (php !== '' && there.has('php')) {
      const versions = await there.ask('php', (port, { node }, deadline) => port.versions(node, deadline), programError);
      const offered = versions.map(shownVersion).join(', ') || '-';
      if (!versions.includes(php)) blocks.push(block('php_version', { version: shownVersion(php), versions: offered }));
    }
    if (commands.some(({ enabled }) => enabled) && there.has('commands')) notes.push(note('commands'));
    if (commands.length > 0 && !there.has('commands')) blocks.push(block('commands', { n: commands.length }));
    const database = here.has('database') ? await databaseIn(here) : null;
    if (database && !(there.has('database') && there.port('database').load)) {
      const isEmpty = database.tables === 0 || database.bytes === 0;
      if (isEmpty) notes.push(note('database_empty'));
      else blocks.push(block('database', { name: database.name }));
    } else if (database && !keepsDatabase(here, there, database.name)) notes.push(note('database_other'));
    if (access && !isAlike(here, there)) notes.push(note(there.has('access') ? 'access_password' : 'access_none'));
    return { blocks, notes };
  }

  /** Compares where the site's names point now with where they will have to point. */
  private async ofNames(account: HostingAccount, code: string): Promise<TextRef[]> {
    const names = (await this.domains.wanted(account.id)).map(({ name }) => name).join(', ');
    const [now, then] = [await this.targets.ofServer(account.nodeCode), await this.targets.ofServer(code)];
    if (then === null || (now?.type === then.type && now.value === then.value)) return [];
    const to = `${then.type} ${then.value}`;
    return [note('own_name', { to }), ...(names === '' ? [] : [note('names', { names, to })])];
  }
}

/** Creates the block for names that belong to other sites on the server. */
export const domainTaken = (names: readonly string[]): TextRef => block('domain_taken', { names: names.join(', ') });

/**
 * Returns no names if a server did not list them in time: a taken name is then detected when it is bound, and the move is rolled back.
 *
 * @throws every other error
 */
function ignoreTimeout(error: unknown): TextRef[] {
  if (error instanceof HostingError && (error.code === 'NODE_SILENT' || error.code === 'NODE_LATE')) return [];
  throw error;
}

/** Texts for names a server rejects, by the code of the problem. */
const NAME_BLOCKS: Readonly<Record<string, string>> = { SERVER_NAME: 'name', SERVER_TAKEN: 'name_taken', SITE_FOREIGN: 'site_taken' };

/** Returns the site's names that the new server rejects. @throws HostingError if it does not answer, or fails in another way */
async function namesRefused(there: BoundDriver): Promise<TextRef[]> {
  const fits = await there.fits();
  if (succeeded(fits)) return [];
  const problem = fits.outcome === 'refused' ? fits.problem : undefined;
  const text = problem && NAME_BLOCKS[problem.code];
  if (text === undefined) throw driverError(fits);
  return [block(text, problem?.params)];
}

/** Returns whether programs can keep their database settings. An adopted site may have a custom database name. */
const keepsDatabase = (here: OpenSite, there: OpenSite, name: string): boolean =>
  isAlike(here, there) && [here.account.siteId, here.account.username].includes(name);

/** Returns whether both drivers can exchange data in a format of their own. */
const isAlike = (here: OpenSite, there: OpenSite): boolean => here.handsOverTo(there);

const block = (name: string, params: TextRef['params'] = {}): TextRef => ({ key: `moves.block_${name}`, params });
const note = (name: string, params: TextRef['params'] = {}): TextRef => ({ key: `moves.note_${name}`, params });
