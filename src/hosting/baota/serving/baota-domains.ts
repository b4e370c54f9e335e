import { Injectable } from '@nestjs/common';

import {
  ALREADY,
  DONE,
  type DomainsPort,
  type DriverAccount,
  type DriverDomain,
  type DriverNode,
  type DriverResult,
  FileProblem,
} from '../../driver/index.js';
import {
  answering,
  answeringAll,
  messageOf,
  PanelClient,
  PanelProblem,
  refusal,
  requireData,
  requireDone,
  rowsOf,
  serverProblem,
  textOf,
} from '../client/index.js';
import { SiteFileAccess } from '../files/index.js';
import { type PanelSite, PanelSites, PanelTables } from '../sites/index.js';

/** How panels say, in Chinese or English, that a domain is already bound. */
const BOUND = /已绑定|已存在|already (?:bound|exists?)|been bound/i;

/** A domain as stored on the server, with its id in one of two tables. */
interface BoundName extends DriverDomain {
  readonly id: string;
  readonly port: string;
}

/** Domains of sites on servers running BaoTa: those of the web root, and those bound to a folder. */
@Injectable()
export class BaotaDomains implements DomainsPort {
  constructor(
    private readonly client: PanelClient,
    private readonly sites: PanelSites,
    private readonly tables: PanelTables,
    private readonly access: SiteFileAccess,
  ) {}

  apply(account: DriverAccount, domains: readonly DriverDomain[], deadline: AbortSignal): Promise<DriverResult> {
    return answeringAll(async () => {
      const site = await this.sites.own(account, deadline);
      const { missing, surplus, names } = await this.compare(account.node, site, domains, deadline);
      if (missing.length === 0 && surplus.length === 0) return ALREADY;
      // Unbind first, so that a domain moving between folders is free when it is bound again.
      for (const name of surplus) await this.unbind(account.node, site, name, deadline);
      const refused: PanelProblem[] = [];
      for (const domain of missing) {
        const problem = await this.bind(account, site, domain, deadline).catch((error: unknown) => refusalOf(error));
        if (problem) refused.push(isElsewhere(problem, domain, names) ? serverProblem('SERVER_DOMAIN', { name: domain.name }) : problem);
      }
      if (refused[0]) throw refused[0];
      return DONE;
    });
  }

  /** An arrow function, because it is called without its object. */
  readonly matches = (account: DriverAccount, domains: readonly DriverDomain[], deadline: AbortSignal): Promise<DriverResult<boolean>> =>
    answering(async () => {
      const { missing, surplus } = await this.compare(account.node, await this.sites.own(account, deadline), domains, deadline);
      return missing.length === 0 && surplus.length === 0;
    });

  /** Domains bound to a folder of another site are not found here, only when binding fails: panels list those per site. */
  readonly taken = (account: DriverAccount, names: readonly string[], deadline: AbortSignal): Promise<DriverResult<readonly string[]>> =>
    answering(async () => {
      if (names.length === 0) return [];
      const own = await this.sites.find(account.node, account.siteName, deadline);
      const found = new Set<string>();
      // The panel's search does not find names with a hyphen, so all rows are read.
      for await (const { pid, name } of this.tables.all(account.node, 'domain', {}, deadline))
        if (textOf(pid) !== own?.id) found.add(textOf(name).toLowerCase());
      return names.filter((name) => found.has(name));
    });

  private async compare(node: DriverNode, site: PanelSite, wanted: readonly DriverDomain[], signal: AbortSignal) {
    const present = await this.bound(node, site, signal);
    // A site always has its own name, without a binding.
    const isOwn = ({ name, folder }: DriverDomain): boolean => name === site.name && folder === '';
    const isSame = (a: DriverDomain, b: DriverDomain): boolean => a.name === b.name && a.folder === b.folder;
    return {
      missing: wanted.filter((domain) => !isOwn(domain) && !present.some((one) => isSame(one, domain))),
      surplus: present.filter((one) => !wanted.some((domain) => isSame(one, domain))),
      /** All domains of the site. */
      names: [site.name, ...present.map(({ name }) => name)],
    };
  }

  private async bound(node: DriverNode, site: PanelSite, signal: AbortSignal): Promise<BoundName[]> {
    const domains = rowsOf(
      await this.client.call(node, '/data?action=getData', { table: 'domain', search: site.id, list: 'True' }, signal),
    );
    const { binding } = requireData(await this.client.call(node, '/site?action=GetDirBinding', { id: site.id }, signal));
    return [
      ...domains
        .filter(({ pid, name }) => textOf(pid) === site.id && name !== site.name)
        .map(({ id, name, port }) => ({ id: textOf(id), name: textOf(name), folder: '', port: textOf(port) || '80' })),
      ...rowsOf(binding).map(({ id, domain, path, port }) => ({
        id: textOf(id),
        name: textOf(domain),
        folder: textOf(path).replace(/^\/+|\/+$/g, ''),
        port: textOf(port) || '80',
      })),
    ];
  }

  private async bind(account: DriverAccount, site: PanelSite, { name, folder }: DriverDomain, signal: AbortSignal): Promise<void> {
    const { node } = account;
    if (folder === '') {
      const answer = requireData(
        await this.client.call(node, '/site?action=AddDomain', { id: site.id, webname: site.name, domain: name }, signal),
      );
      const failed = rowsOf(answer.domains).find(({ status }) => status !== true);
      if (failed) throw refusal(messageOf(failed));
      // Older panels only report whether everything was done.
      if (answer.domains === undefined) requireDone(answer);
      return;
    }
    await this.ensureFolder(account, folder, signal);
    await this.sites.done(node, '/site?action=AddDirBinding', { id: site.id, domain: name, dirName: folder }, signal);
  }

  private async unbind(node: DriverNode, site: PanelSite, { id, name, folder, port }: BoundName, signal: AbortSignal): Promise<void> {
    if (folder === '')
      await this.sites.done(node, '/site?action=DelDomain', { id: site.id, webname: site.name, domain: name, port }, signal);
    else await this.sites.done(node, '/site?action=DelDirBinding', { id }, signal);
  }

  private async ensureFolder(account: DriverAccount, folder: string, signal: AbortSignal): Promise<void> {
    const site = await this.access.of(account, signal);
    const parts = folder.split('/');
    if (parts.includes('..')) throw new FileProblem('PATH');
    await site.makeFolders(parts);
  }
}

/** Whether a domain was refused because another site of the server has it: panels say only that it is bound. */
function isElsewhere({ message }: PanelProblem, { name }: DriverDomain, own: readonly string[]): boolean {
  return BOUND.test(message) && !own.includes(name);
}

/** Returns the panel's own refusal. @throws any other error */
function refusalOf(error: unknown): PanelProblem {
  if (error instanceof PanelProblem && error.result.outcome === 'refused' && !error.result.problem) return error;
  throw error;
}
