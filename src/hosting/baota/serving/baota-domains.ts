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
import { answering, answeringAll, messageOf, PanelClient, refusal, requireData, requireDone, rowsOf, textOf } from '../client/index.js';
import { SitePlaces } from '../files/index.js';
import { type PanelSite, PanelSites } from '../sites/index.js';

/** A name as the server has it: by its number in one of two tables. */
interface BoundName extends DriverDomain {
  readonly id: string;
  readonly port: string;
}

/** Domains of sites on servers that run BaoTa: those of the web root, and those bound to a folder. */
@Injectable()
export class BaotaDomains implements DomainsPort {
  constructor(
    private readonly client: PanelClient,
    private readonly sites: PanelSites,
    private readonly places: SitePlaces,
  ) {}

  apply(account: DriverAccount, domains: readonly DriverDomain[], deadline: AbortSignal): Promise<DriverResult> {
    return answeringAll(async () => {
      const site = await this.sites.own(account, deadline);
      const { missing, surplus } = await this.compare(account.node, site, domains, deadline);
      if (missing.length === 0 && surplus.length === 0) return ALREADY;
      // A name that goes from one folder to another is free before it is bound anew.
      for (const name of surplus) await this.unbind(account.node, site, name, deadline);
      for (const domain of missing) await this.bind(account, site, domain, deadline);
      return DONE;
    });
  }

  /** Asked for by itself, so it keeps what it is of. */
  readonly matches = (account: DriverAccount, domains: readonly DriverDomain[], deadline: AbortSignal): Promise<DriverResult<boolean>> =>
    answering(async () => {
      const { missing, surplus } = await this.compare(account.node, await this.sites.own(account, deadline), domains, deadline);
      return missing.length === 0 && surplus.length === 0;
    });

  private async compare(node: DriverNode, site: PanelSite, wanted: readonly DriverDomain[], signal: AbortSignal) {
    const present = await this.bound(node, site, signal);
    const isSame = (a: DriverDomain, b: DriverDomain): boolean => a.name === b.name && a.folder === b.folder;
    return {
      missing: wanted.filter((domain) => !present.some((one) => isSame(one, domain))),
      surplus: present.filter((one) => !wanted.some((domain) => isSame(one, domain))),
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
      // Older panels say whether all of it was done.
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
    const site = await this.places.of(account, signal);
    const parts = folder.split('/');
    if (parts.includes('..')) throw new FileProblem('PATH');
    await site.makeFolders(parts);
  }
}
