import { Injectable } from '@nestjs/common';

import { errorMessage, loggerFor } from '../common/index.js';
import type { DnsRecord, DnsZone } from '../sdk/index.js';

import { DnsProblem, shownText } from './dns-problem.js';
import { DnsProviders } from './dns-providers.js';
import type { DnsCall, DnsDriver } from './drivers/index.js';
import { type DnsEntry, type DnsProvider, type OwnRecord, valueOf } from './entities/index.js';
import { EntryRepository, Superseded } from './entry-repository.js';
import { isSameValue } from './record-values.js';

const BATCH = 50;
/** Types that direct visitors: a foreign record of these types conflicts with ours. */
const LEADING = new Set(['A', 'AAAA', 'CNAME']);
/** Types of the zone itself, which never conflict. */
const OF_THE_ZONE = new Set(['NS', 'SOA', 'RRSIG', 'NSEC', 'NSEC3', 'DS']);

const log = loggerFor('dns');

/** State of a run: accounts and zones of names. */
interface Run {
  readonly providers: Map<number, DnsProvider>;
  readonly zones: Map<string, Promise<DnsZone | null>>;
  /** Providers that worked in this run. */
  readonly working: Set<number>;
  readonly signal: AbortSignal | undefined;
}

/** An account and the zone of a name there. */
interface AccountZone {
  readonly provider: DnsProvider;
  readonly zone: DnsZone;
}

/**
 * Brings records to their desired state. A change is stored before it is made, so that after a crash the next worker knows what may be
 * ours. A record is ours by its comment, or by id and value at providers without comments; foreign records are never changed or removed.
 */
@Injectable()
export class EntrySync {
  constructor(
    private readonly repository: EntryRepository,
    private readonly providers: DnsProviders,
  ) {}

  /** Processes all due entries. @returns number of entries brought up to date */
  async run(signal?: AbortSignal): Promise<number> {
    const providers = new Map((await this.providers.all()).map((row) => [row.id, row]));
    const run: Run = { providers, zones: new Map(), working: new Set(), signal };
    const resting = new Set(await this.providers.delayedIds());
    let done = 0;
    for (;;) {
      const due = await this.repository.due([...resting], BATCH);
      for (const entry of due) {
        signal?.throwIfAborted();
        if (resting.has(entry.providerId) || resting.has(entry.ownProviderId)) continue;
        const claimed = await this.repository.claim(entry);
        if (!claimed) continue;
        const failing = await this.reconcile(claimed, run);
        if (failing === null) done += 1;
        else if (failing > 0) resting.add(failing);
      }
      if (due.length === 0) return done;
    }
  }

  /** @returns null if it is up to date; the id of a failing provider; 0 for anything else */
  private async reconcile(entry: DnsEntry, run: Run): Promise<number | null> {
    // Provider to which a failure is attributed.
    let providerId = entry.ownProviderId;
    try {
      const stays = entry.own !== null && entry.ownProviderId === entry.providerId && (entry.type === '' || entry.own.type === entry.type);
      if (entry.own !== null && !stays) await this.removeOwn(entry, entry.own, run);
      if (entry.providerId === 0) {
        await this.repository.forget(entry);
        return null;
      }
      providerId = entry.providerId;
      const note = await this.establish({ ...entry, ...(stays ? {} : { own: null, ownProviderId: 0 }) }, run);
      await this.repository.done(entry, note);
      if (!run.working.has(providerId)) await this.providers.recordSuccess(run.providers.get(providerId)!);
      run.working.add(providerId);
      return null;
    } catch (error) {
      if (error instanceof Superseded) return 0;
      if (run.signal?.aborted) throw error;
      return this.recordFailure(entry, providerId, error, run);
    }
  }

  private async recordFailure(entry: DnsEntry, providerId: number, error: unknown, run: Run): Promise<number> {
    const isKnown = error instanceof DnsProblem;
    if (!isKnown) log.error({ name: entry.name, err: error }, 'a record could not be set');
    else log.info({ name: entry.name, problem: error.code }, 'a record could not be set yet');
    const problem = isKnown ? error : new DnsProblem('refused', DnsProblem.reply(errorMessage(error)));
    const provider = run.providers.get(providerId);
    const isItsOwn = problem.isOfProvider && provider !== undefined;
    const retryAt = isItsOwn ? await this.providers.recordFailure(provider, problem) : null;
    try {
      await this.repository.failed(entry, problem, retryAt);
    } catch (lost) {
      if (!(lost instanceof Superseded)) throw lost;
    }
    return isItsOwn ? providerId : 0;
  }

  /** Removes our record from a provider where it is no longer desired; a record changed by others stays. */
  private async removeOwn(entry: DnsEntry, own: OwnRecord, run: Run): Promise<void> {
    const provider = run.providers.get(entry.ownProviderId);
    const zone = provider ? await this.zoneOf(provider, entry.name, run) : null;
    if (provider && zone) {
      const present = await this.ask(provider, run, (driver, call) => driver.records(call, zone, entry.name));
      for (const record of present.filter((one) => isOurs(one, own, entry.mark)))
        await this.ask(provider, run, (driver, call) => driver.remove(call, zone, record));
    }
    await this.repository.own(entry, 0, null);
  }

  private async establish(entry: DnsEntry, run: Run): Promise<'theirs' | ''> {
    const { name, type, mark, own } = entry;
    const value = valueOf(entry);
    const provider = run.providers.get(entry.providerId);
    if (!provider) throw new DnsProblem('no_provider');
    if (type === '') throw new DnsProblem('no_target');
    const zone = await this.zoneOf(provider, name, run);
    if (!zone) throw new DnsProblem('no_zone', { zone: above(name) });
    const present = await this.ask(provider, run, (driver, call) => driver.records(call, zone, name));
    const [mine, ...doubles] = own === null ? [] : present.filter((record) => isOurs(record, own, mark));
    const beside = await this.repository.beside(entry);
    const isPanels = (record: DnsRecord): boolean => beside.some((other) => isOurs(record, other.own!, other.mark));
    const foreign = present.filter((record) => record !== mine && !doubles.includes(record) && !isPanels(record));
    const isWanted = (record: DnsRecord): boolean => record.type === type && isSameValue(type, record.value, value);
    const others = foreign.filter((record) => isInTheWay(record, type) || (!mine && isWanted(record)));
    if (others.length > 0) {
      const isRight = !mine && others.every(isWanted);
      if (!isRight) throw new DnsProblem('taken', { found: shown(others) });
      // It existed before, so it stays when the name is given up.
      if (own !== null) await this.repository.own(entry, 0, null);
      return 'theirs';
    }
    for (const record of doubles) await this.ask(provider, run, (driver, call) => driver.remove(call, zone, record));
    if (mine && isSameValue(type, mine.value, value)) {
      await this.repository.own(entry, provider.id, { type, values: [value], id: mine.id });
      return '';
    }
    await this.put(entry, { provider, zone }, { type, value }, mine, run);
    return '';
  }

  private async put(
    entry: DnsEntry,
    { provider, zone }: AccountZone,
    { type, value }: { readonly type: OwnRecord['type']; readonly value: string },
    mine: DnsRecord | undefined,
    run: Run,
  ): Promise<void> {
    const { name, mark } = entry;
    const before: OwnRecord | null = mine ? { type, values: [mine.value], id: mine.id } : null;
    await this.repository.own(entry, provider.id, { type, values: [...(before?.values ?? []), value], id: before?.id ?? '' });
    try {
      const wanted = { id: before?.id ?? null, type, name, value, ttl: entry.ttl, mark };
      const id = await this.ask(provider, run, (driver, call) => driver.put(call, zone, wanted));
      await this.repository.own(entry, provider.id, { type, values: [value], id });
    } catch (error) {
      // It was certainly not created, so a record that appears later is foreign.
      if (error instanceof DnsProblem && ['refused', 'denied'].includes(error.code) && provider.plugin === '')
        await this.repository.own(entry, provider.id, before);
      throw error;
    }
  }

  /** Returns the zone of a name: the closest parent. */
  private zoneOf(provider: DnsProvider, name: string, run: Run): Promise<DnsZone | null> {
    const key = `${provider.id} ${above(name)}`;
    const known = run.zones.get(key);
    if (known) return known;
    const found = this.findZone(provider, above(name), run);
    run.zones.set(key, found);
    // Failures are not cached.
    found.catch(() => run.zones.delete(key));
    return found;
  }

  private async findZone(provider: DnsProvider, domain: string, run: Run): Promise<DnsZone | null> {
    for (let zone = domain; zone.includes('.'); zone = above(zone)) {
      const [found] = await this.ask(provider, run, (driver, call) => driver.zones(call, zone));
      if (found) return found;
    }
    return null;
  }

  private ask<Result>(provider: DnsProvider, run: Run, work: (driver: DnsDriver, call: DnsCall) => Promise<Result>): Promise<Result> {
    return this.providers.ask(provider, work, run.signal);
  }
}

const above = (name: string): string => name.slice(name.indexOf('.') + 1);

function isOurs({ id, type, value, mark }: DnsRecord, own: OwnRecord, ownMark: string): boolean {
  if (type !== own.type || !own.values.some((known) => isSameValue(type, known, value))) return false;
  return mark === undefined ? own.id === '' || own.id === id : mark.includes(ownMark);
}

/** Whether a foreign record conflicts with one of this type. */
function isInTheWay({ type }: DnsRecord, ours: string): boolean {
  return LEADING.has(type) || (ours === 'CNAME' && !OF_THE_ZONE.has(type));
}

const shown = (records: readonly DnsRecord[]): string =>
  shownText(
    records
      .slice(0, 3)
      .map(({ type, value }) => `${type} ${value}`)
      .join(', '),
  );
