import { Injectable } from '@nestjs/common';

import { BaseUrl } from '../../config/index.js';
import { type OpenSite, tellOrUndo } from '../site-tools/index.js';
import { SitesAddress } from '../sites-address.js';

import { DomainRepository } from './domain-repository.js';
import { isElsewhere, refuse, serverDomainError } from './domain-errors.js';
import { type DomainName, overlaps, readDomain, storedDomain } from './domain-name.js';
import { DomainProof } from './domain-proof.js';
import { ZoneClaims } from './zone-claims.js';

/** A folder below the web root, as people write it: nothing hidden, no way out. */
const FOLDER_PART = /^[^.\s/\\\p{Cc}][^/\\\p{Cc}]{0,99}$/u;

/** Binds domains to sites: what a name may be, whose it is, and that the site's server knows. */
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
   * Binds a domain, or sets the folder of one that is bound. The server is told in any case, so that a
   * repetition mends what did not get there; see {@link tellOrUndo} for one that is away.
   *
   * @param text as it was written, see {@link readDomain}
   * @param folder below the web root; empty: the web root itself
   * @throws DomainError naming the rule; HostingError PORT_MISSING, ACCOUNT_STATE, and what the server comes to
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
      claim === 'zone' || (claim === 'none' && (standing === 'related' || (standing === 'free' && this.isBesidePanel(domain))));
    if (needsProof) await this.proof.require(account, domain);
    const before = standing === 'own' ? await this.repository.find(account.id, domain.name) : null;
    const outcome = await this.repository.bind(account.id, domain, shown, needsProof || claim === 'own', async () => {
      // Given up since it was looked at: it is somebody else's to sell.
      if (claim === 'own' && (await this.claims.of(account.id, domain)) !== 'own') refuse('SOLD', { domain: domain.name });
    });
    const undo = async (): Promise<void> => {
      if (outcome !== 'same') await this.repository.undoBind(account.id, domain.name, shown, before);
    };
    const tell = (): Promise<void> =>
      this.tell(site).catch(async (error: unknown) => {
        // What the server will never serve is nobody's here either.
        if (isElsewhere(error) && error.params.domain === domain.name) await undo();
        throw error;
      });
    await tellOrUndo(tell, undo);
    return { name: domain.name, outcome };
  }

  /** Whether a name is the panel's own, or one below SITES_DOMAIN. */
  isPanels(domain: DomainName): boolean {
    return [this.sites.domain, this.panelName].some((own) => isWithin(domain.base, own) || overlaps(domain, storedDomain(own)));
  }

  /** Tells a site's server which domains it has. @throws HostingError as {@link bind}; DomainError ELSEWHERE: another site there has one */
  async tell(site: OpenSite): Promise<void> {
    const wanted = await this.repository.wanted(site.account.id);
    await site.ask('domains', (port, account, deadline) => port.apply(account, wanted, deadline), serverDomainError);
  }

  /** Removes a domain; its name is free from then on. @throws DomainError NOT_BOUND; HostingError as {@link bind} */
  async unbind(site: OpenSite, text: string): Promise<string> {
    site.port('domains');
    const name = this.known(text);
    const row = await this.repository.unbind(site.account.id, name);
    await tellOrUndo(
      () => this.tell(site),
      () => this.repository.undoUnbind(row),
    );
    return name;
  }

  /** Makes a domain the main one, the site's own name again where it is empty. @throws DomainError NOT_BOUND, MAIN_WILDCARD */
  async setMain(site: OpenSite, text: string): Promise<void> {
    const own = text.trim() === '' || text.trim().toLowerCase() === this.sites.nameOf(site.account.username);
    await this.repository.setMain(site.account.id, own && !(await this.isBound(site, text)) ? null : this.known(text));
  }

  /** The name that is meant, however it is written. @throws DomainError NOT_BOUND */
  known(text: string): string {
    const plain = text.trim().toLowerCase();
    // Names below SITES_DOMAIN may be local ones.
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
    // One's own name may be local; whether it is one's own is looked at next.
    if (plain === this.sites.domain || plain.endsWith(`.${this.sites.domain}`)) return storedDomain(plain);
    const domain = readDomain(text);
    return typeof domain === 'string'
      ? refuse(domain.toUpperCase() as Uppercase<typeof domain>, { domain: text.trim().slice(0, 253) })
      : domain;
  }

  /** The panel's own names are the panel's, and so are those below SITES_DOMAIN: each belongs to the account of its name. */
  private checkOwnNames(site: OpenSite, domain: DomainName): void {
    const { name, base } = domain;
    if (isWithin(base, this.sites.domain) || overlaps(domain, storedDomain(this.sites.domain))) {
      if (name !== this.sites.nameOf(site.account.username)) refuse('SITES', { domain: name });
    }
    const panel = this.panelName;
    if (isWithin(base, panel) || overlaps(domain, storedDomain(panel))) refuse('PANEL', { domain: name });
  }

  /**
   * Whether a name is above the panel's or beside it: what leads here may do so for the sake of the panel, so its
   * owner has to prove that it is his.
   */
  private isBesidePanel({ base }: DomainName): boolean {
    const zone = this.panelName.slice(this.panelName.indexOf('.') + 1);
    return typeof readDomain(zone) !== 'string' && isWithin(base, zone);
  }

  private get panelName(): string {
    return new URL(this.panel.current()).hostname.toLowerCase();
  }
}

const isWithin = (name: string, domain: string): boolean => name === domain || name.endsWith(`.${domain}`);

/** A folder below the web root, without slashes around it. @throws DomainError FOLDER */
export function readFolder(text: string): string {
  const parts = text.split('/').filter((part) => part !== '');
  const folder = parts.join('/');
  return folder.length <= 255 && parts.every((part) => FOLDER_PART.test(part)) ? folder : refuse('FOLDER', { folder: text.slice(0, 100) });
}
