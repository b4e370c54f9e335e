import { Injectable } from '@nestjs/common';
import type { Authorization, Client, Order } from 'acme-client';

import { Clock, OutboundHttp } from '../../../common/index.js';
import { Secrets } from '../../../config/index.js';
import { Database, isUniqueViolation } from '../../../database/index.js';
import { AcmeAccount } from '../../entities/index.js';

import { type AccountBinding, BINDING_KEY_PLACE } from '../acme-settings.js';

import { acmeLibrary, withOutbound } from './acme-transport.js';

/** Where keys of accounts are sealed for. */
const ACCOUNT_KEY_PLACE = 'acme.account';
/** RFC 5280 section 5.3.1. */
const KEY_COMPROMISE = 1;

/** ACME client of one certificate authority. Every call ends within seconds, or with an {@link AcmeProblem}. */
export class Authority {
  constructor(
    private readonly client: Client,
    private readonly outbound: OutboundHttp,
  ) {}

  /** Asks for a certificate of these names. */
  order(names: readonly string[]): Promise<Order> {
    return this.call(() => this.client.createOrder({ identifiers: names.map((value) => ({ type: 'dns', value })) }));
  }

  /** How far an order is. @param url of the order */
  look(url: string): Promise<Order> {
    return this.call(() => this.client.getOrder({ url } as Order));
  }

  /** What it wants to know of each name. */
  authorizations(order: Order): Promise<Authorization[]> {
    return this.call(() => this.client.getAuthorizations(order));
  }

  /** What is to be answered at the address of a proof. */
  answerOf(challenge: Challenge): Promise<string> {
    return this.client.getChallengeKeyAuthorization(challenge);
  }

  /** Has the authority look at a proof. */
  async check(challenge: Challenge): Promise<void> {
    await this.call(() => this.client.completeChallenge(challenge));
  }

  /** Has it make the certificate. @param key PEM of the private key the certificate is for */
  finish(order: Order, key: string, names: readonly string[]): Promise<Order> {
    return this.call(async () => {
      const { crypto } = await acmeLibrary();
      const [, request] = await crypto.createCsr({ commonName: names.find((name) => name.length <= 64), altNames: [...names] }, key);
      return this.client.finalizeOrder(order, request);
    });
  }

  /** The certificate with those that lead to the authority, PEM. @param order a finished one */
  certificate(order: Order): Promise<string> {
    return this.call(() => this.client.getCertificate(order));
  }

  /** Has it declare a certificate void, because somebody else may have its key. @param chain PEM */
  revoke(chain: string): Promise<void> {
    return this.call(() => this.client.revokeCertificate(chain, { reason: KEY_COMPROMISE }));
  }

  private call<T>(run: () => Promise<T>): Promise<T> {
    return withOutbound(this.outbound, run);
  }
}

/** A proof an authority takes. */
export type Challenge = Authorization['challenges'][number];

/** Authorities, each with an account of the panel's own that is made when it is first needed. */
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
   * What an authority says of itself: its terms of use, an address, null where it has none, and whether it wants an account made elsewhere.
   * Tells too whether a directory is one.
   *
   * @throws AcmeProblem
   */
  async about(directory: string): Promise<{ terms: string | null; wantsBinding: boolean }> {
    const { Client, crypto } = await acmeLibrary();
    const client = new Client({ directoryUrl: directory, accountKey: await crypto.createPrivateEcdsaKey() });
    const terms: unknown = await withOutbound(this.outbound, () => client.getTermsOfServiceUrl());
    // The library reads it and has no method that tells it.
    const { http } = client as unknown as { http: { getMetaField(name: string): Promise<unknown> } };
    const wantsBinding = (await withOutbound(this.outbound, () => http.getMetaField('externalAccountRequired'))) === true;
    return { terms: typeof terms === 'string' && /^https?:\/\//.test(terms) ? terms.slice(0, 500) : null, wantsBinding };
  }

  /**
   * An authority, signed in.
   *
   * @param mail it is to write to; empty: none
   * @param binding account made elsewhere that ours is to belong to; one for another authority is not used
   * @throws AcmeProblem
   */
  async open(directory: string, mail: string, binding: AccountBinding | null): Promise<Authority> {
    const { Client } = await acmeLibrary();
    const { id, key, accountUrl, mail: toldMail } = await this.account(directory);
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
    } else if (toldMail !== mail) {
      await withOutbound(this.outbound, () => client.updateAccount({ contact }));
      await this.rows.update({ id }, { mail });
    }
    return new Authority(client, this.outbound);
  }

  /** The authority knows our account no more: it is registered again, with the same key, when it is next needed. */
  async forget(directory: string): Promise<void> {
    await this.rows.update({ directory }, { accountUrl: '' });
  }

  /** Our account belongs to another one elsewhere from now on: the next one is made anew. */
  async replace(directory: string): Promise<void> {
    await this.rows.delete({ directory });
  }

  private bindingFor(directory: string, binding: AccountBinding | null): { kid: string; hmacKey: string } | undefined {
    const hmacKey = binding?.directory === directory ? this.secrets.open(binding.sealedKey, BINDING_KEY_PLACE) : null;
    return binding && hmacKey !== null ? { kid: binding.id, hmacKey } : undefined;
  }

  /** The row of an account with its key; of two who need the first one at once, both get the same. */
  private async account(directory: string): Promise<{ id: number; key: string; accountUrl: string; mail: string }> {
    const found = await this.rows.findOneBy({ directory });
    const opened = found && this.secrets.open(found.sealedKey, ACCOUNT_KEY_PLACE);
    if (found && opened !== null) return { id: found.id, key: opened, accountUrl: found.accountUrl, mail: found.mail };
    const { crypto } = await acmeLibrary();
    const key = (await crypto.createPrivateEcdsaKey()).toString();
    const sealedKey = this.secrets.seal(key, ACCOUNT_KEY_PLACE);
    if (found) {
      // Sealed with a key of the installation that was lost: the account is nobody's any more.
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

/** A private key for a certificate, PEM: P-256, which every browser takes and costs the least at handshakes. */
export async function newCertificateKey(): Promise<string> {
  const { crypto } = await acmeLibrary();
  return (await crypto.createPrivateEcdsaKey('P-256')).toString();
}
