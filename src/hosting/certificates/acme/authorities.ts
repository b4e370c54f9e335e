import { Injectable } from '@nestjs/common';
import type { Authorization, Client, Order } from 'acme-client';

import { Clock, OutboundHttp } from '../../../common/index.js';
import { Secrets } from '../../../config/index.js';
import { Database, isUniqueViolation } from '../../../database/index.js';
import { AcmeAccount } from '../../entities/index.js';

import { type AccountBinding, BINDING_KEY_PLACE } from '../acme-settings.js';

import { acmeLibrary, withOutbound } from './acme-transport.js';

/** Purpose for which account keys are sealed. */
const ACCOUNT_KEY_PLACE = 'acme.account';
/** Revocation reason of RFC 5280 section 5.3.1. */
const KEY_COMPROMISE = 1;

/** ACME client of one certificate authority. Every call ends within seconds, or with an {@link AcmeProblem}. */
export class Authority {
  constructor(
    private readonly client: Client,
    private readonly outbound: OutboundHttp,
  ) {}

  /** Orders a certificate for these names. */
  order(names: readonly string[]): Promise<Order> {
    return this.call(() => this.client.createOrder({ identifiers: names.map((value) => ({ type: 'dns', value })) }));
  }

  /** Returns the present state of an order. @param url of the order */
  getOrder(url: string): Promise<Order> {
    return this.call(() => this.client.getOrder({ url } as Order));
  }

  /** Returns the authorizations of an order, one per name. */
  authorizations(order: Order): Promise<Authorization[]> {
    return this.call(() => this.client.getAuthorizations(order));
  }

  /** Returns the content expected at the address of a challenge. */
  answerOf(challenge: Challenge): Promise<string> {
    return this.client.getChallengeKeyAuthorization(challenge);
  }

  /** Asks the authority to validate a challenge. */
  async check(challenge: Challenge): Promise<void> {
    await this.call(() => this.client.completeChallenge(challenge));
  }

  /** Asks the authority to issue the certificate. @param key PEM of the certificate's private key */
  finish(order: Order, key: string, names: readonly string[]): Promise<Order> {
    return this.call(async () => {
      const { crypto } = await acmeLibrary();
      const [, request] = await crypto.createCsr({ commonName: names.find((name) => name.length <= 64), altNames: [...names] }, key);
      return this.client.finalizeOrder(order, request);
    });
  }

  /** Downloads the certificate with its chain, PEM. @param order a finished one */
  certificate(order: Order): Promise<string> {
    return this.call(() => this.client.getCertificate(order));
  }

  /** Revokes a certificate whose key may be compromised. @param chain PEM */
  revoke(chain: string): Promise<void> {
    return this.call(() => this.client.revokeCertificate(chain, { reason: KEY_COMPROMISE }));
  }

  private call<T>(run: () => Promise<T>): Promise<T> {
    return withOutbound(this.outbound, run);
  }
}

/** A challenge offered by an authority. */
export type Challenge = Authorization['challenges'][number];

/** Gives access to authorities, with one account per authority, created on first use. */
@Injectable()
export class Authorities {
  constructor(
    private readonly database: Database,
    private readonly secrets: Secrets,
    private readonly outbound: OutboundHttp,
    private readonly clock: Clock,
  ) {}

  private get rows() {
    return this.database.repository(AcmeAccount);
  }

  /**
   * Returns the terms of use of an authority (a URL, null if it has none) and whether it requires an existing account. Also validates the
   * directory.
   *
   * @throws AcmeProblem
   */
  async about(directory: string): Promise<{ terms: string | null; wantsBinding: boolean }> {
    const { Client, crypto } = await acmeLibrary();
    const client = new Client({ directoryUrl: directory, accountKey: await crypto.createPrivateEcdsaKey() });
    const terms: unknown = await withOutbound(this.outbound, () => client.getTermsOfServiceUrl());
    // The library reads this value but has no public method for it.
    const { http } = client as unknown as { http: { getMetaField(name: string): Promise<unknown> } };
    const wantsBinding = (await withOutbound(this.outbound, () => http.getMetaField('externalAccountRequired'))) === true;
    return { terms: typeof terms === 'string' && /^https?:\/\//.test(terms) ? terms.slice(0, 500) : null, wantsBinding };
  }

  /**
   * Opens an authority, signed in.
   *
   * @param mail contact address; empty for none
   * @param binding external account to bind to; one of another authority is ignored
   * @throws AcmeProblem
   */
  async open(directory: string, mail: string, binding: AccountBinding | null): Promise<Authority> {
    const { Client } = await acmeLibrary();
    const { id, key, accountUrl, mail: savedMail } = await this.account(directory);
    const externalAccountBinding = this.bindingFor(directory, binding);
    const client = new Client({
      directoryUrl: directory,
      accountKey: key,
      externalAccountBinding,
      ...(accountUrl === '' ? {} : { accountUrl }),
    });
    const contact = mail === '' ? [] : [`mailto:${mail}`];
    if (accountUrl === '') {
      await withOutbound(this.outbound, () => client.createAccount({ termsOfServiceAgreed: true, ...(mail === '' ? {} : { contact }) }));
      await this.rows.update({ id }, { accountUrl: client.getAccountUrl().slice(0, 500), mail });
    } else if (savedMail !== mail) {
      await withOutbound(this.outbound, () => client.updateAccount({ contact }));
      await this.rows.update({ id }, { mail });
    }
    return new Authority(client, this.outbound);
  }

  /** Clears the account URL when the authority no longer knows our account: the next use registers it again with the same key. */
  async forget(directory: string): Promise<void> {
    await this.rows.update({ directory }, { accountUrl: '' });
  }

  /** Deletes our account after its external account changed; the next use creates a new one. */
  async replace(directory: string): Promise<void> {
    await this.rows.delete({ directory });
  }

  private bindingFor(directory: string, binding: AccountBinding | null): { kid: string; hmacKey: string } | undefined {
    const hmacKey = binding?.directory === directory ? this.secrets.open(binding.sealedKey, BINDING_KEY_PLACE) : null;
    return binding && hmacKey !== null ? { kid: binding.id, hmacKey } : undefined;
  }

  /** Returns the account with its key; concurrent callers get the same one. */
  private async account(directory: string): Promise<{ id: number; key: string; accountUrl: string; mail: string }> {
    const found = await this.rows.findOneBy({ directory });
    const opened = found && this.secrets.open(found.sealedKey, ACCOUNT_KEY_PLACE);
    if (found && opened !== null) return { id: found.id, key: opened, accountUrl: found.accountUrl, mail: found.mail };
    const { crypto } = await acmeLibrary();
    const key = (await crypto.createPrivateEcdsaKey()).toString();
    const sealedKey = this.secrets.seal(key, ACCOUNT_KEY_PLACE);
    if (found) {
      // Sealed with an installation key that was lost, so the account cannot be used any more.
      await this.rows.update({ id: found.id }, { sealedKey, accountUrl: '', mail: '' });
      return { id: found.id, key, accountUrl: '', mail: '' };
    }
    try {
      const row = this.rows.create({ directory, sealedKey, accountUrl: '', mail: '', createdAt: this.clock.now() });
      await this.rows.insert(row);
      return { id: row.id, key, accountUrl: '', mail: '' };
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      return this.account(directory);
    }
  }
}

/** Generates the private key of a certificate, PEM. P-256 is supported by every browser and costs least in handshakes. */
export async function newCertificateKey(): Promise<string> {
  const { crypto } = await acmeLibrary();
  return (await crypto.createPrivateEcdsaKey('P-256')).toString();
}
