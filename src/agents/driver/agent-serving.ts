import { Injectable } from '@nestjs/common';

import {
  type CertificatesPort,
  type DomainsPort,
  type DriverAccount,
  type DriverCertificate,
  type DriverDomain,
  type DriverProof,
  type DriverResult,
  SitesAddress,
  type RewritesPort,
  type WebSettingsPort,
  type WebSettingsState,
} from '../../hosting/index.js';

import { isUnknown, mapped, ServerCalls } from './server-calls.js';

/** Maximum number of domains per site on the wire. */
const MAX_DOMAINS = 500;
const MAX_LABEL_LENGTH = 63;

/** Domains, settings and certificates of sites on servers with an agent; every call sends the complete state. */
@Injectable()
export class AgentServing {
  constructor(
    private readonly calls: ServerCalls,
    private readonly address: SitesAddress,
  ) {}

  readonly domains: DomainsPort = {
    apply: (account, domains, deadline) => this.calls.done(account, 'domains.apply', { domains: this.withOwn(account, domains) }, deadline),
    matches: async (account, domains, deadline) =>
      mapped(await this.calls.site(account, 'domains.matches', { domains: this.withOwn(account, domains) }, deadline), ({ same }) => same),
    taken: async (account, names, deadline) => {
      const requested = this.withOwn(
        account,
        names.map((name) => ({ name, folder: '' })),
      ).map(({ name }) => name);
      const taken = await this.calls.site(account, 'domains.taken', { names: requested }, deadline);
      // Older agents do not support this action and reject taken names when applied.
      return isUnknown(taken) ? { outcome: 'ok', value: [] } : mapped(taken, (value) => value.names);
    },
  };

  readonly settings: WebSettingsPort = {
    apply: (account, settings, deadline) => this.calls.done(account, 'settings.apply', { settings: settingsOf(settings) }, deadline),
    matches: async (account, settings, deadline) =>
      mapped(await this.calls.site(account, 'settings.matches', { settings: settingsOf(settings) }, deadline), ({ same }) => same),
  };

  readonly rewrites: RewritesPort = {
    apply: async (account, rules, deadline) => {
      const result = await this.calls.done(account, 'rewrites.apply', { rules }, deadline);
      if (result.outcome !== 'refused' || result.problem?.code !== 'CONFIG') return result;
      return { ...result, problem: { code: 'RULE', params: { problem: String(result.problem.params?.problem ?? result.message) } } };
    },
  };

  readonly certificates: CertificatesPort = {
    apply: (account, certificate, deadline) =>
      this.calls.done(account, 'certificate.apply', { certificate: certificateOf(certificate) }, deadline),
    matches: (account: DriverAccount, certificate: DriverCertificate | null, deadline: AbortSignal): Promise<DriverResult<boolean>> =>
      this.hasCertificate(account, certificate, deadline),
    prove: (account, proofs, deadline) => this.calls.done(account, 'proofs.apply', { proofs: proofs.map(proofOf) }, deadline),
  };

  /** Adds the site's own name to its domains, because the server serves only the names it receives. */
  private withOwn({ username }: DriverAccount, domains: readonly DriverDomain[]) {
    const own = this.address.nameOf(username);
    const served = domains.map(domainOf);
    const isName = own.split('.').every((label) => label.length <= MAX_LABEL_LENGTH);
    return isName && served.length < MAX_DOMAINS && !served.some(({ name }) => name === own)
      ? [...served, { name: own, folder: '' }]
      : served;
  }

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

function settingsOf({ indexes, runFolder, redirects, passwords, hotlink, cache, compression, errorPages }: WebSettingsState) {
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
