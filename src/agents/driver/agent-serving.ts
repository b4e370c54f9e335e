import { Injectable } from '@nestjs/common';

import type {
  CertificatesPort,
  DomainsPort,
  DriverAccount,
  DriverCertificate,
  DriverDomain,
  DriverProof,
  DriverResult,
  SiteSettingsPort,
  SiteSettingsState,
} from '../../hosting/index.js';

import { mapped, ServerCalls } from './server-calls.js';

/** What sites on servers with our agent answer by, and how: the server is told the whole of it each time. */
@Injectable()
export class AgentServing {
  constructor(private readonly calls: ServerCalls) {}

  readonly domains: DomainsPort = {
    apply: (account, domains, deadline) => this.calls.done(account, 'domains.apply', { domains: domains.map(domainOf) }, deadline),
    matches: async (account, domains, deadline) =>
      mapped(await this.calls.site(account, 'domains.matches', { domains: domains.map(domainOf) }, deadline), ({ same }) => same),
  };

  readonly settings: SiteSettingsPort = {
    apply: (account, settings, deadline) => this.calls.done(account, 'settings.apply', { settings: settingsOf(settings) }, deadline),
    matches: async (account, settings, deadline) =>
      mapped(await this.calls.site(account, 'settings.matches', { settings: settingsOf(settings) }, deadline), ({ same }) => same),
  };

  readonly certificates: CertificatesPort = {
    apply: (account, certificate, deadline) =>
      this.calls.done(account, 'certificate.apply', { certificate: certificateOf(certificate) }, deadline),
    matches: (account: DriverAccount, certificate: DriverCertificate | null, deadline: AbortSignal): Promise<DriverResult<boolean>> =>
      this.hasCertificate(account, certificate, deadline),
    prove: (account, proofs, deadline) => this.calls.done(account, 'proofs.apply', { proofs: proofs.map(proofOf) }, deadline),
  };

  private async hasCertificate(
    account: DriverAccount,
    certificate: DriverCertificate | null,
    deadline: AbortSignal,
  ): Promise<DriverResult<boolean>> {
    const args = { certificate: certificateOf(certificate) };
    return mapped(await this.calls.site(account, 'certificate.matches', args, deadline), ({ same }) => same);
  }
}

function domainOf({ name, folder }: DriverDomain) {
  return { name, folder };
}

function certificateOf(certificate: DriverCertificate | null) {
  if (!certificate) return null;
  const { names, chain, key, forceHttps } = certificate;
  return { names, chain, key, forceHttps };
}

function proofOf({ name, token, answer }: DriverProof) {
  return { name, token, answer };
}

function settingsOf({ indexes, runFolder, redirects, passwords, hotlink, cache, compression, errorPages }: SiteSettingsState) {
  return {
    indexes,
    runFolder,
    redirects: redirects.map(({ id, from, to, status }) => ({ id, from, to, status })),
    passwords: passwords.map(({ name, folder, user, hash }) => ({ name, folder, user, hash })),
    hotlink: {
      enabled: hotlink.enabled,
      suffixes: hotlink.suffixes,
      domains: hotlink.domains,
      allowEmpty: hotlink.allowEmpty,
      status: hotlink.status,
    },
    cache: cache.map(({ suffix, time }) => ({ suffix, time })),
    compression: { enabled: compression.enabled, level: compression.level, minBytes: compression.minBytes, types: compression.types },
    errorPages: { '403': errorPages['403'] ?? null, '404': errorPages['404'] ?? null, '503': errorPages['503'] ?? null },
  };
}
