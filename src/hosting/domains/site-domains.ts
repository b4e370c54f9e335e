import { Injectable } from '@nestjs/common';

import { BaseUrl } from '../../config/index.js';
import { type OpenSite, applyOrUndo } from '../site-tools/index.js';
import { SitesAddress } from '../sites-address.js';

import { DomainRepository } from './domain-repository.js';
import { isElsewhere, refuse, serverDomainError } from './domain-errors.js';
import { type DomainName, overlaps, readDomain, storedDomain } from './domain-name.js';
import { DomainProof } from './domain-proof.js';
import { ZoneClaims } from './zone-claims.js';

/** Part of a folder below the web root: no hidden names, no `..`. */
const FOLDER_PART = /^[^.\s/\\\p{Cc}][^/\\\p{Cc}]{0,99}$/u;

/** Binds domains to sites: validates names, checks their ownership and updates the site's server. */
@Injectable()
export class SiteDomains {
  constructor(
    private readonly repository: DomainRepository,
    private readonly proof: DomainProof,
    private readonly sites: SitesAddress,
    private readonly panel: BaseUrl,
    private readonly claims: ZoneClaims,
  ) {}

  /**
   * Binds a domain, or changes the folder of a bound one. The server is updated in any case, so that repeating the call repairs a failed
   * update; see {@link applyOrUndo} for an unreachable server.
   *
   * @param text as entered, see {@link readDomain}
   * @param folder below the web root; empty for the web root itself
   * @throws DomainError naming the rule; HostingError PORT_MISSING, ACCOUNT_STATE, and errors of the server
   */
  async bind(site: OpenSite, text: string, folder: string): Promise<{ name: string; outcome: 'bound' | 'moved' | 'same' }> {
    site.port('domains');
    const domain = this.read(text);
    const shown = readFolder(folder);
    this.checkOwnNames(site, domain);
    const { account } = site;
    const standing = await this.repository.standing(account.id, domain);
    if (standing === 'taken') refuse('TAKEN', { domain: domain.name });
    const claim = standing === 'own' ? 'none' : await this.claims.of(account.id, domain);
    if (claim === 'sold') refuse('SOLD', { domain: domain.name });
    const needsProof =
      claim === 'zone' || (claim === 'none' && (standing === 'related' || (standing === 'free' && this.isInPanelZone(domain))));
    if (needsProof) await this.proof.require(account, domain);
    const before = standing === 'own' ? await this.repository.find(account.id, domain.name) : null;
    const outcome = await this.repository.bind(account.id, domain, shown, needsProof || claim === 'own', async () => {
      // The name was given up since the check, so it is for sale again.
      if (claim === 'own' && (await this.claims.of(account.id, domain)) !== 'own') refuse('SOLD', { domain: domain.name });
    });
    const undo = async (): Promise<void> => {
      if (outcome !== 'same') await this.repository.undoBind(account.id, domain.name, shown, before);
    };
    const push = (): Promise<void> =>
      this.push(site).catch(async (error: unknown) => {
        // The server will never serve the name, so do not keep it here.
        if (isElsewhere(error) && error.params.domain === domain.name) await undo();
        throw error;
      });
    await applyOrUndo(push, undo);
    return { name: domain.name, outcome };
  }

  /** Returns whether a name is the panel's own, or below SITES_DOMAIN. */
  isPanels(domain: DomainName): boolean {
    return [this.sites.domain, this.panelName].some((own) => isWithin(domain.base, own) || overlaps(domain, storedDomain(own)));
  }

  /**
   * Sends a site's domains to its server. @throws HostingError as {@link bind}; DomainError ELSEWHERE when another site there has one of
   * them
   */
  async push(site: OpenSite): Promise<void> {
    const wanted = await this.repository.wanted(site.account.id);
    await site.ask('domains', (port, account, deadline) => port.apply(account, wanted, deadline), serverDomainError);
  }

  /** Removes a domain, whose name becomes free. @throws DomainError NOT_BOUND; HostingError as {@link bind} */
  async unbind(site: OpenSite, text: string): Promise<string> {
    site.port('domains');
    const name = this.known(text);
    const row = await this.repository.unbind(site.account.id, name);
    await applyOrUndo(
      () => this.push(site),
      () => this.repository.undoUnbind(row),
    );
    return name;
  }

  /** Sets the main domain; empty resets it to the site's own name. @throws DomainError NOT_BOUND, MAIN_WILDCARD */
  async setMain(site: OpenSite, text: string): Promise<void> {
    const own = text.trim() === '' || text.trim().toLowerCase() === this.sites.nameOf(site.account.username);
    await this.repository.setMain(site.account.id, own && !(await this.isBound(site, text)) ? null : this.known(text));
  }

  /** Normalizes an entered name. @throws DomainError NOT_BOUND */
  known(text: string): string {
    const plain = text.trim().toLowerCase();
    // Names below SITES_DOMAIN may be local names, which `readDomain` rejects.
    if (plain.endsWith(`.${this.sites.domain}`)) return plain;
    const domain = readDomain(text);
    return typeof domain === 'string' ? refuse('NOT_BOUND', { domain: text.slice(0, 253) }) : domain.name;
  }

  private async isBound(site: OpenSite, text: string): Promise<boolean> {
    const plain = text.trim().toLowerCase();
    return (await this.repository.all(site.account.id)).some(({ name }) => name === plain);
  }

  private read(text: string): DomainName {
    const plain = text.trim().toLowerCase().replace(/\.$/, '');
    // The site's own name may be a local one; `checkOwnNames` checks next whether it is the site's own.
    if (plain === this.sites.domain || plain.endsWith(`.${this.sites.domain}`)) return storedDomain(plain);
    const domain = readDomain(text);
    return typeof domain === 'string'
      ? refuse(domain.toUpperCase() as Uppercase<typeof domain>, { domain: text.trim().slice(0, 253) })
      : domain;
  }

  /** Rejects the panel's names, and names below SITES_DOMAIN except the account's own. */
  private checkOwnNames(site: OpenSite, domain: DomainName): void {
    const { name, base } = domain;
    if (isWithin(base, this.sites.domain) || overlaps(domain, storedDomain(this.sites.domain))) {
      if (name !== this.sites.nameOf(site.account.username)) refuse('SITES', { domain: name });
    }
    const panel = this.panelName;
    if (isWithin(base, panel) || overlaps(domain, storedDomain(panel))) refuse('PANEL', { domain: name });
  }

  /**
   * Returns whether a name is in the panel's own zone: its DNS may point here only because of the panel, so the owner must prove ownership.
   */
  private isInPanelZone({ base }: DomainName): boolean {
    const zone = this.panelName.slice(this.panelName.indexOf('.') + 1);
    return typeof readDomain(zone) !== 'string' && isWithin(base, zone);
  }

  private get panelName(): string {
    return new URL(this.panel.current()).hostname.toLowerCase();
  }
}

const isWithin = (name: string, domain: string): boolean => name === domain || name.endsWith(`.${domain}`);

/** Parses a folder below the web root; the result has no leading or trailing slashes. @throws DomainError FOLDER */
export function readFolder(text: string): string {
  const parts = text.split('/').filter((part) => part !== '');
  const folder = parts.join('/');
  return folder.length <= 255 && parts.every((part) => FOLDER_PART.test(part)) ? folder : refuse('FOLDER', { folder: text.slice(0, 100) });
}
