import { Injectable, type Type } from '@nestjs/common';
import { IsNotEmpty, IsOptional, IsString, MaxLength } from 'class-validator';

import {
  ListInput,
  ListReply,
  Operation,
  type OperationDeclaration,
  RawReply,
  RowId,
  SuccessReply,
  Trimmed,
} from '../../operations/index.js';
import type { CallContext, Scope } from '../../sdk/index.js';
import type { SiteDomain } from '../entities/index.js';
import { type OpenSite, SiteAccess } from '../site-tools/index.js';
import { SitesAddress } from '../sites-address.js';

import { DomainRepository } from './domain-repository.js';
import { DomainCheck, type DomainCheckResult } from './domain-check.js';
import { SiteDomains } from './site-domains.js';

/** Maximum length of an entered domain or URL. */
const MAX_LENGTH = 300;

/** The site concerned: an id on the admin side; on the user side it is the caller's own. */
class HostField {
  @IsOptional() @RowId() id?: number;
}

class DomainListInput extends ListInput {
  @IsOptional() @RowId() id?: number;
}

class DomainInput extends HostField {
  @Trimmed() @IsString() @IsNotEmpty({ message: 'hosting.domain_empty' }) @MaxLength(MAX_LENGTH) url!: string;
}

class BindInput extends DomainInput {
  /** Folder below the web root; empty for the web root itself. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(MAX_LENGTH) ml = '';
}

class MainInput extends HostField {
  /** Empty for the site's own name. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(MAX_LENGTH) url = '';
}

const STATE_TEXTS: Record<DomainCheckResult['state'], string> = {
  here: 'hosting.domain_check_here',
  elsewhere: 'hosting.domain_check_elsewhere',
  missing: 'hosting.domain_check_missing',
  unanswered: 'hosting.domain_check_unanswered',
  unknown: 'hosting.domain_check_unknown',
};

/** Domains of a site: the owner's on the user side, any host's on the admin side. Source: docs/panel-api.md "Domains". */
function domainOperationsOf(side: Scope): Type<object> {
  type SideDeclaration = Pick<OperationDeclaration, 'side' | 'auth' | 'servers'>;
  const declared: SideDeclaration = side === 'admin' ? { side, auth: side, servers: { of: 'host', field: 'id' } } : { side, auth: side };
  const reads = { ...declared, audit: null, rate: 'read' } as const;
  const writes = { ...declared, rate: 'write' } as const;

  @Injectable()
  class DomainOperations {
    constructor(
      private readonly access: SiteAccess,
      private readonly domains: SiteDomains,
      private readonly repository: DomainRepository,
      private readonly checks: DomainCheck,
      private readonly sites: SitesAddress,
    ) {}

    /** Names in the format of older clients, without the site's own. */
    @Operation({ ...reads, gn: 'listurl', input: HostField })
    async names(input: HostField, ctx: CallContext): Promise<RawReply> {
      const { account } = await this.access.of(input, ctx, 'read');
      const own = this.sites.nameOf(account.username);
      const bound = (await this.repository.all(account.id)).filter(({ name }) => name !== own);
      return new RawReply({ domains: bound.map(({ name, folder, isMain }) => ({ name, path: `/${folder}`, main: isMain })) });
    }

    /** Lists domains bound to a folder; the bare value `false` if there are none, as older clients expect. */
    @Operation({ ...reads, gn: 'hqzmlls', input: HostField })
    async folders(input: HostField, ctx: CallContext): Promise<RawReply> {
      const { account } = await this.access.of(input, ctx, 'read');
      const bound = (await this.repository.all(account.id)).filter(({ folder }) => folder !== '');
      const rows = bound.map(({ id, name, folder }) => ({ id, domain: name, path: folder, port: 80 }));
      return new RawReply(rows.length > 0 ? rows : (Object(false) as object));
    }

    /** Lists domains for pages. */
    @Operation({ ...reads, gn: 'urllb', input: DomainListInput })
    async list(input: DomainListInput, ctx: CallContext): Promise<ListReply> {
      const site = await this.access.of(input, ctx, 'read');
      const { total, domains } = await this.repository.page(site.account.id, (input.page - 1) * input.limit, input.limit);
      return new ListReply(
        total,
        domains.map((domain) => this.row(site, domain)),
      );
    }

    @Operation({ ...writes, gn: 'tjurl', input: BindInput, audit: 'hosting.audit_domain_bound' })
    async bind(input: BindInput, ctx: CallContext): Promise<SuccessReply> {
      const site = await this.access.of(input, ctx, 'change');
      const { name, outcome } = await this.domains.bind(site, input.url, input.ml);
      return new SuccessReply(`hosting.domain_${outcome}`, { name }, { url: name, user: site.account.username });
    }

    @Operation({ ...writes, gn: 'scurl', input: DomainInput, audit: 'hosting.audit_domain_removed' })
    async unbind(input: DomainInput, ctx: CallContext): Promise<SuccessReply> {
      const site = await this.access.of(input, ctx, 'change');
      const name = await this.domains.unbind(site, input.url);
      return new SuccessReply('hosting.domain_removed', { name }, { url: name, user: site.account.username });
    }

    @Operation({ ...writes, gn: 'zyurl', input: MainInput, audit: 'hosting.audit_domain_main' })
    async setMain(input: MainInput, ctx: CallContext): Promise<SuccessReply> {
      const site = await this.access.of(input, ctx, 'change');
      await this.domains.setMain(site, input.url);
      return new SuccessReply(
        'hosting.domain_main_set',
        {},
        { url: input.url || this.sites.nameOf(site.account.username), user: site.account.username },
      );
    }

    /** Queries DNS now; changes nothing. */
    @Operation({ ...declared, gn: 'jcurl', input: DomainInput, audit: 'hosting.audit_domain_checked', rate: 'expensive' })
    async check(input: DomainInput, ctx: CallContext): Promise<SuccessReply> {
      const { account } = await this.access.of(input, ctx, 'read');
      const { name } = await this.repository.find(account.id, this.domains.known(input.url));
      const target = await this.checks.target(account);
      const { state, found } = await this.checks.check(name, target);
      const where = found.slice(0, 6).join(', ') || '-';
      return new SuccessReply(STATE_TEXTS[state], { state, found, target }, { url: name, found: where, target: target?.value ?? '-' });
    }

    private row({ account, isHere }: OpenSite, { id, name, folder, isMain }: SiteDomain): Record<string, unknown> {
      return {
        id,
        host_id: account.id,
        name,
        path: `/${folder}`,
        main: String(isMain),
        url: name.startsWith('*') ? '' : this.sites.urlOfName(name, isHere),
      };
    }
  }
  Object.defineProperty(DomainOperations, 'name', { value: side === 'admin' ? 'AdminDomainOperations' : 'UserDomainOperations' });
  return DomainOperations;
}

export const AdminDomainOperations = domainOperationsOf('admin');
export const UserDomainOperations = domainOperationsOf('user');
