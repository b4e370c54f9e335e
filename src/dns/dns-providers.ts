import { isDeepStrictEqual } from 'node:util';

import { Injectable } from '@nestjs/common';
import { In, MoreThan } from 'typeorm';

import { Clock, OutboundHttp, type ChangedSubject, type TextRef } from '../common/index.js';
import { Secrets } from '../config/index.js';
import { Database } from '../database/index.js';
import { type DriverSettings, readDriverSettings, SaleDomain } from '../hosting/index.js';
import { checkVersion, type FormValues, nextVersion, type NextVersion } from '../http/index.js';
import { SiteSettings } from '../site/index.js';

import { DnsKinds } from './dns-kinds.js';
import { DnsProblem } from './dns-problem.js';
import { type DnsCall, type DnsDriver, MAX_ZONES_SHOWN, OWN_DRIVERS } from './drivers/index.js';
import { DnsEntry, DnsProvider } from './entities/index.js';
import { DnsError } from './errors.js';
import { waitAfter } from './wait-after.js';

/** Fields of a provider account. */
export interface ProviderDraft {
  readonly name: string;
  /** An empty secret keeps its value. */
  readonly settings: DriverSettings;
}

/** Maximum number of provider accounts. */
export const MAX_PROVIDERS = 50;
const PLACE = 'dns.provider';
/** Pattern of zone names that are stored and shown. */
const NAME = /^[\x21-\x7e]{1,253}$/;
/** Maximum retry delay after a provider failure, in seconds. */
const MAX_DELAY_SECONDS = 3_600;
/** Shorter secrets are not masked, because they may occur as ordinary text. */
const MIN_SECRET = 4;

/** Encrypts the settings of an account of a built-in kind; omitted fields get their defaults. */
export function sealProviderSettings(secrets: Secrets, slug: string, settings: DriverSettings): string {
  const fields = OWN_DRIVERS.find(({ type }) => type === slug)?.fields ?? [];
  return secrets.seal(JSON.stringify(readDriverSettings(fields, settings, {}).values), PLACE);
}

/** Stores accounts at DNS providers with encrypted secrets, and calls the providers. */
@Injectable()
export class DnsProviders {
  constructor(
    private readonly database: Database,
    private readonly secrets: Secrets,
    private readonly http: OutboundHttp,
    private readonly kinds: DnsKinds,
    private readonly clock: Clock,
    private readonly settings: SiteSettings,
  ) {}

  private get rows() {
    return this.database.repository(DnsProvider);
  }

  /** Returns all accounts, oldest first. */
  all(): Promise<DnsProvider[]> {
    return this.rows.find({ order: { id: 'ASC' }, take: MAX_PROVIDERS });
  }

  /** @throws DnsError MISSING */
  async find(id: number): Promise<DnsProvider> {
    const row = await this.rows.findOneBy({ id });
    if (!row) throw new DnsError('MISSING');
    return row;
  }

  /** Returns the kind of an account; undefined while its plugin is disabled. */
  kindOf({ slug }: DnsProvider): DnsDriver | undefined {
    return this.kinds.find(slug);
  }

  /** Returns the reason for a missing kind; null if it exists. */
  offProblem(row: DnsProvider): TextRef | null {
    return this.kindOf(row) ? null : { key: 'dns.problem_plugin_off', params: { plugin: row.plugin } };
  }

  /** Returns the field values without secrets. */
  shown(row: DnsProvider): DriverSettings {
    const fields = this.kindOf(row)?.fields ?? [];
    const settings = this.settingsOf(row) ?? {};
    return Object.fromEntries(fields.filter(({ type }) => type !== 'password').map(({ key }) => [key, settings[key] ?? '']));
  }

  /** Returns the form fields of an account. For its secrets they reveal only whether they were changed. */
  formOf(row: DnsProvider): FormValues {
    const shown = this.shown(row);
    const fields = (this.kindOf(row)?.fields ?? []).map(({ key }) => [`cs[${key}]`, shown[key] ?? { secret: row.settings }]);
    return { name: row.name, ...(Object.fromEntries(fields) as FormValues) };
  }

  /** Returns the ids of accounts with a pending retry delay. */
  async delayedIds(): Promise<number[]> {
    const rows = await this.rows.find({ select: { id: true }, where: { retryAt: MoreThan(this.clock.now()) }, take: MAX_PROVIDERS });
    return rows.map(({ id }) => id);
  }

  /** @returns its id @throws DnsError KIND, FIELDS, TOO_MANY */
  async add(slug: string, { name, settings }: ProviderDraft): Promise<number> {
    const kind = this.kinds.find(slug);
    if (!kind) throw new DnsError('KIND', {}, { slug: 'dns.kind_unknown' });
    const checked = checkedSettings(kind, settings, {});
    return this.database.transaction(async () => {
      if ((await this.rows.count()) >= MAX_PROVIDERS) throw new DnsError('TOO_MANY', { n: MAX_PROVIDERS });
      const row = this.rows.create({
        ...{ slug, plugin: kind.plugin, name, settings: this.sealed(checked), zones: null, createdAt: this.clock.now() },
        ...{ problem: '', problemParams: null, failures: 0, failingSince: null, retryAt: null, workedAt: null },
      });
      await this.rows.insert(row);
      this.database.noteChange(subject(row.id), null, noted(row, checked));
      return row.id;
    });
  }

  /**
   * Changes an account; its kind stays. Earlier failures are cleared, so that it is tried immediately.
   *
   * @param version of the submitted form
   * @returns the version of the form after the change
   * @throws DnsError MISSING, KIND, FIELDS; StaleForm
   */
  async change(id: number, { name, settings }: ProviderDraft, version?: string): Promise<NextVersion> {
    return this.database.transaction(async () => {
      await this.database.lockRow('DnsProvider', 'id', id);
      const present = await this.find(id);
      const kind = this.kindOf(present);
      if (!kind) throw new DnsError('KIND');
      checkVersion(version, this.formOf(present));
      const old = this.settingsOf(present) ?? {};
      const checked = checkedSettings(kind, settings, old);
      // Encrypting the same settings again would produce another text and look like a change.
      const next = { name, settings: isDeepStrictEqual(checked, old) ? present.settings : this.sealed(checked) };
      await this.rows.update({ id }, { ...next, ...NO_FAILURES });
      await this.scheduleNow(id);
      this.database.noteChange(subject(id), noted(present, old), noted({ ...present, name }, checked));
      return nextVersion(version, this.formOf({ ...present, ...next }));
    });
  }

  /**
   * Deletes an account. Its records at the provider stay and are no longer managed.
   *
   * @throws DnsError MISSING, USED if a domain uses it
   */
  async remove(id: number): Promise<DnsProvider> {
    return this.database.transaction(async () => {
      // Prevents its concurrent selection for site names.
      const { siteNamesProvider } = await this.settings.hold();
      await this.database.lockRow('DnsProvider', 'id', id);
      const present = await this.find(id);
      const zone = await this.database.repository(SaleDomain).findOneBy({ providerId: id });
      if (zone) throw new DnsError('USED', { zone: zone.domain });
      if (siteNamesProvider === id) throw new DnsError('USED_BY_SITES');
      const entries = this.database.repository(DnsEntry);
      await entries.delete({ ownProviderId: id, providerId: In([0, id]) });
      await entries.delete({ ownProviderId: 0, providerId: id });
      await entries.update({ ownProviderId: id }, { ownProviderId: 0, own: null });
      await this.rows.delete({ id });
      this.database.noteChange(subject(id), noted(present, {}), null);
      return present;
    });
  }

  /** Tests an account. @returns names of its zones @throws DnsProblem */
  async check(row: DnsProvider): Promise<string[]> {
    try {
      const zones = await this.ask(row, (driver, call) => driver.zones(call, null));
      const names = zones
        .map(({ name }) => name)
        .filter((name) => NAME.test(name))
        .slice(0, MAX_ZONES_SHOWN);
      await this.rows.update({ id: row.id }, { zones: names, workedAt: this.clock.now(), ...NO_FAILURES });
      await this.scheduleNow(row.id);
      return names;
    } catch (error) {
      if (error instanceof DnsProblem) await this.recordFailure(row, error);
      throw error;
    }
  }

  /** Calls a provider. Error messages contain no secrets. @throws DnsProblem */
  async ask<Result>(row: DnsProvider, work: (driver: DnsDriver, call: DnsCall) => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    const driver = this.kindOf(row);
    if (!driver) throw new DnsProblem('plugin_off', { plugin: row.plugin });
    const settings = this.settingsOf(row);
    if (!settings || driver.fields.some(({ key, required }) => required && !settings[key])) throw new DnsProblem('settings');
    try {
      return await work(driver, { settings, http: this.http, now: this.clock.now(), signal: signal ?? new AbortController().signal });
    } catch (error) {
      if (!(error instanceof DnsProblem)) throw error;
      throw withoutSecrets(error, driver, settings);
    }
  }

  /** Records a success. */
  async recordSuccess({ id, problem, workedAt }: DnsProvider): Promise<void> {
    const now = this.clock.now();
    // At most once a minute.
    if (problem === '' && workedAt !== null && now.getTime() - workedAt.getTime() < 60_000) return;
    await this.rows.update({ id }, { workedAt: now, ...NO_FAILURES });
  }

  /** Records a failure and delays further calls, increasingly or as long as the provider requests. */
  async recordFailure(row: DnsProvider, { code, params, retryAfter, isOfProvider }: DnsProblem): Promise<Date> {
    const now = this.clock.now();
    if (!isOfProvider) return now;
    const seconds = retryAfter ?? waitAfter(row.failures, MAX_DELAY_SECONDS);
    const retryAt = new Date(now.getTime() + seconds * 1_000);
    const values = { problem: code, problemParams: plain(params), failures: row.failures + 1, retryAt };
    await this.rows.update({ id: row.id }, { ...values, failingSince: row.failingSince ?? now });
    return retryAt;
  }

  /** Ends the retry delay of accounts. */
  async clearDelays(ids: readonly number[]): Promise<void> {
    await this.rows.update({ id: In([...ids]) }, { retryAt: null });
  }

  /** Schedules the waiting records of a provider immediately. */
  private async scheduleNow(id: number): Promise<void> {
    const entries = this.database.repository(DnsEntry);
    const now = { dueAt: this.clock.now() };
    for (const state of ['waiting', 'failed'] as const) {
      await entries.update({ providerId: id, state, dueAt: MoreThan(now.dueAt) }, now);
      await entries.update({ ownProviderId: id, state, dueAt: MoreThan(now.dueAt) }, now);
    }
  }

  private sealed(settings: DriverSettings): string {
    return this.secrets.seal(JSON.stringify(settings), PLACE);
  }

  private settingsOf({ settings }: DnsProvider): DriverSettings | null {
    const text = this.secrets.open(settings, PLACE);
    return text === null ? null : (JSON.parse(text) as DriverSettings);
  }
}

const NO_FAILURES = { problem: '', problemParams: null, failures: 0, failingSince: null, retryAt: null };

const subject = (id: number): ChangedSubject => ({ of: 'dns_provider', id, secret: ['dns_account'] });
const noted = ({ name, slug }: DnsProvider, settings: DriverSettings) => ({ name, dns_kind: slug, dns_account: settings });

/** Returns the parameters that can be stored. */
export const plain = (params: DnsProblem['params']): Record<string, string | number> =>
  Object.fromEntries(Object.entries(params).filter((entry): entry is [string, string | number] => typeof entry[1] !== 'object'));

/** @throws DnsError FIELDS naming the missing or invalid fields */
function checkedSettings({ fields }: DnsDriver, given: DriverSettings, present: DriverSettings): DriverSettings {
  const { values, wrong } = readDriverSettings(fields, given, present);
  const problems = Object.fromEntries(Object.entries(wrong).map(([key, text]) => [`cs[${key}]`, text]));
  // Prevents revealing a stored secret by pointing the account at another server.
  const leadsElsewhere = fields.some(({ key, type }) => type !== 'password' && key in present && values[key] !== present[key]);
  for (const { key, type } of fields) {
    const isKept = type === 'password' && (given[key] ?? '').trim() === '' && Boolean(values[key]);
    if (isKept && leadsElsewhere) problems[`cs[${key}]`] = 'dns.field_again';
  }
  for (const { key, type } of fields) {
    const isAddress = key === 'address' && type === 'text';
    const value = values[key] ?? '';
    if (isAddress && value !== '' && !(/^https?:\/\/[^\s/]/i.test(value) && URL.canParse(value))) problems[`cs[${key}]`] = 'dns.field_url';
  }
  if (Object.keys(problems).length > 0) throw new DnsError('FIELDS', {}, problems);
  return values;
}

function withoutSecrets(problem: DnsProblem, { fields }: DnsDriver, settings: DriverSettings): DnsProblem {
  const secrets = fields.filter(({ type }) => type === 'password').map(({ key }) => settings[key] ?? '');
  const clean = (text: string): string =>
    secrets.filter(({ length }) => length >= MIN_SECRET).reduce((left, secret) => left.replaceAll(secret, '•••'), text);
  const params = Object.entries(plain(problem.params)).map(
    ([name, value]) => [name, typeof value === 'string' ? clean(value) : value] as const,
  );
  return new DnsProblem(problem.code, Object.fromEntries(params), problem.retryAfter);
}
