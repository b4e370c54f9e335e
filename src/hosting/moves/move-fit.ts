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
  /** What the other server cannot hold, or why it cannot be looked at; it is not moved while there is anything. */
  readonly blocks: readonly Words[];
  /** What will be otherwise afterwards, and what somebody has to do. */
  readonly notes: readonly TextRef[];
}

/** The same in the reader's language. */
export const fitInWords = ({ blocks, notes }: MoveFit, locale: Locale) => ({
  blocks: blocks.map((words) => sayWords(locale, words)),
  notes: notes.map((words) => sayWords(locale, words)),
});

/** What the page of a move says where both servers together took longer than its reader waits. */
export const lateInWords = (locale: Locale) => ({ fits: false, late: translate(locale, 'moves.check_late'), blocks: [], notes: [] });

/** Looks whether another server can hold all a site has, and says by name what it cannot. */
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
   * Asks both servers; it changes nothing.
   *
   * @param code of the other server
   */
  async look(account: HostingAccount, code: string): Promise<MoveFit> {
    try {
      const here = new OpenSite(account, await this.drivers.of(account));
      const bound = await this.drivers.of({ ...account, nodeCode: code, siteId: '' });
      const there = new OpenSite(account, bound);
      const [rows, programs] = [await this.ofRows(here, there), await this.ofPrograms(here, there)];
      const notes = [...programs.notes, ...(await this.ofNames(account, code)), note('still'), note('kept')];
      if (account.webUsedBytes > 0) notes.unshift(note('size', { size: shownSize(account.webUsedBytes) }));
      return { blocks: [...(await namesRefused(bound)), ...rows, ...programs.blocks], notes };
    } catch (error) {
      // A server that does not answer is a reason as good as any.
      if (error instanceof AppError) return { blocks: [error.told], notes: [] };
      throw error;
    }
  }

  /**
   * Which of its domains other sites have on a server its old site is still on: what it got since, they may have, too. One that does not
   * answer says nothing now.
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

  /** Which of its domains other sites of a server have. @throws what that server comes to */
  private async ofTaken(there: OpenSite): Promise<TextRef[]> {
    const wanted = (await this.domains.wanted(there.account.id)).map(({ name }) => name);
    if (wanted.length === 0 || !there.has('domains') || !there.port('domains').taken) return [];
    const names = await there.ask('domains', (port, account, deadline) => port.taken!(account, wanted, deadline));
    return names.length === 0 ? [] : [domainTaken(names)];
  }

  /** What the panel's rows say of the site. */
  private async ofRows(here: OpenSite, there: OpenSite): Promise<TextRef[]> {
    const { id } = here.account;
    const blocks: TextRef[] = [];
    for (const side of [here, there]) if (!side.has('backups')) blocks.push(block(side === here ? 'no_reading' : 'no_files'));
    const lacks = (port: SitePortName): boolean => here.has(port) && !there.has(port);
    if (lacks('domains')) {
      const wanted = await this.domains.wanted(id);
      if (wanted.length > 0) blocks.push(block('domains', { names: wanted.map(({ name }) => name).join(', ') }));
    }
    blocks.push(...(await this.ofTaken(there).catch(unsaid)));
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

  /** What its server says of the site. */
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

  /** Where names of the site lead now, and where they have to lead then. */
  private async ofNames(account: HostingAccount, code: string): Promise<TextRef[]> {
    const names = (await this.domains.wanted(account.id)).map(({ name }) => name).join(', ');
    const [now, then] = [await this.targets.ofServer(account.nodeCode), await this.targets.ofServer(code)];
    if (then === null || (now?.type === then.type && now.value === then.value)) return [];
    const to = `${then.type} ${then.value}`;
    return [note('own_name', { to }), ...(names === '' ? [] : [note('names', { names, to })])];
  }
}

/** Why a site cannot be where others have names of it. */
export const domainTaken = (names: readonly string[]): TextRef => block('domain_taken', { names: names.join(', ') });

/**
 * No names, where a server did not come to the end of its list in time: one that is taken shows when it is bound, and is undone then.
 *
 * @throws everything else
 */
function unsaid(error: unknown): TextRef[] {
  if (error instanceof HostingError && (error.code === 'NODE_SILENT' || error.code === 'NODE_LATE')) return [];
  throw error;
}

/** Texts for the names a server does not take, by the code of the problem. */
const NAME_BLOCKS: Readonly<Record<string, string>> = { SERVER_NAME: 'name', SERVER_TAKEN: 'name_taken', SITE_FOREIGN: 'site_taken' };

/** Which of the names of a site its new server does not take. @throws HostingError where it does not answer, or cannot otherwise */
async function namesRefused(there: BoundDriver): Promise<TextRef[]> {
  const fits = await there.fits();
  if (succeeded(fits)) return [];
  const problem = fits.outcome === 'refused' ? fits.problem : undefined;
  const text = problem && NAME_BLOCKS[problem.code];
  if (text === undefined) throw driverError(fits);
  return [block(text, problem?.params)];
}

/** Whether programs find the database by what they have written down. One that was taken over may have a name of its own here. */
const keepsDatabase = (here: OpenSite, there: OpenSite, name: string): boolean =>
  isAlike(here, there) && [here.account.siteId, here.account.username].includes(name);

/** Whether both are of one kind that hands over what only it understands. */
const isAlike = (here: OpenSite, there: OpenSite): boolean => here.handsOverTo(there);

const block = (name: string, params: TextRef['params'] = {}): TextRef => ({ key: `moves.block_${name}`, params });
const note = (name: string, params: TextRef['params'] = {}): TextRef => ({ key: `moves.note_${name}`, params });
