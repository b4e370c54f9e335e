import { Injectable } from '@nestjs/common';

import { Semaphore, settleWithin, type TextRef } from '../../common/index.js';
import { Secrets } from '../../config/index.js';
import { Database } from '../../database/index.js';
import { checkInput, type FieldProblem } from '../../http/index.js';
import { MonitorRepository, SaveMonitorInput, valuesOf, type Asker, type MonitorValues, type NewMonitor } from '../records/index.js';
import { MonitorProbe, hostOfTarget } from '../checks/index.js';
import { MonitorTask } from '../entities/index.js';
import { MonitorError } from '../errors.js';

import { readKumaFile } from './kuma-file.js';
import { convertAll, type Converted } from './kuma-monitor.js';

/** Result for a monitor of a file. */
export interface ImportLine {
  readonly name: string;
  /** Converted values; null if it was rejected before. */
  readonly values: MonitorValues | null;
  readonly outcome: 'new' | 'there' | 'refused';
  /** Differences from the file. */
  readonly notes: readonly TextRef[];
  /** Reason of the rejection. */
  readonly reason: TextRef | null;
  /** Push address of a push monitor, once created. */
  readonly pushUrl: string | null;
}

interface Candidate extends Converted {
  readonly values: MonitorValues | null;
}

/** Concurrent DNS lookups, and their total time limit in milliseconds. A name that is skipped here is checked again on every run. */
const MAX_LOOKUPS = 20;
const LOOKUPS_TIMEOUT_MS = 20_000;
/** Rows per INSERT. */
const BATCH = 100;

/** Imports monitors from Uptime-Kuma. */
@Injectable()
export class MonitorImport {
  private readonly owned;

  constructor(
    private readonly database: Database,
    private readonly repository: MonitorRepository,
    private readonly probe: MonitorProbe,
    private readonly secrets: Secrets,
  ) {
    this.owned = database.statement<{ type: string; name: string; url: string }>(
      `SELECT {MonitorTask.type} AS type, {MonitorTask.name} AS name, {MonitorTask.url} AS url FROM {MonitorTask}
       WHERE {MonitorTask.user} = ? AND COALESCE({MonitorTask.accountId}, 0) = ?`,
    );
  }

  /** Previews an import without changing anything. @throws MonitorError describing the problem of the file */
  async preview(file: Buffer, asker: Asker): Promise<ImportLine[]> {
    const candidates = await this.candidates(file);
    const { lines } = await this.database.transaction(() => this.decide(candidates, asker));
    return lines.map((line) => ({ ...line, pushUrl: null }));
  }

  /** Imports a file completely or, on an error, not at all. @throws MonitorError describing the problem of the file */
  async run(file: Buffer, asker: Asker): Promise<ImportLine[]> {
    const candidates = await this.candidates(file);
    return this.database.transaction(async () => {
      const { lines, rows } = await this.decide(candidates, asker);
      for (let at = 0; at < rows.length; at += BATCH) await this.database.repository(MonitorTask).insert(rows.slice(at, at + BATCH));
      return lines;
    });
  }

  private async candidates(file: Buffer): Promise<Candidate[]> {
    const found = convertAll(readKumaFile(file)).map((converted) => this.check(converted));
    const internal = await this.internalHosts(found);
    return found.map((candidate) => {
      const host = hostOf(candidate);
      return host !== null && internal.has(host)
        ? { ...candidate, values: null, notes: [], reason: { key: 'monitor.url_refused' } }
        : candidate;
    });
  }

  /** Validates like the form of a monitor. */
  private check(converted: Converted): Candidate {
    if (converted.fields === null) return { ...converted, values: null };
    try {
      return { ...converted, values: valuesOf(checkInput(SaveMonitorInput, converted.fields, tooLong), null, this.secrets) };
    } catch (error) {
      if (!(error instanceof MonitorError)) throw error;
      return { ...converted, values: null, notes: [], reason: reasonOf(error) };
    }
  }

  private async internalHosts(candidates: readonly Candidate[]): Promise<Set<string>> {
    const hosts = new Set(candidates.map(hostOf).filter((host) => host !== null));
    const internal = new Set<string>();
    const places = new Semaphore(MAX_LOOKUPS);
    const ending = new AbortController();
    const check = async (host: string): Promise<void> => {
      if (!ending.signal.aborted && (await this.probe.isInternal(host))) internal.add(host);
    };
    await settleWithin(Promise.all([...hosts].map((host) => places.take(() => check(host)))), LOOKUPS_TIMEOUT_MS);
    ending.abort();
    return internal;
  }

  /** Runs in a transaction, so that existing monitors and the limit cannot change until it ends. */
  private async decide(candidates: readonly Candidate[], asker: Asker): Promise<{ lines: ImportLine[]; rows: NewMonitor[] }> {
    const places = await this.repository.places(asker);
    let { left } = places;
    const [user, account] = asker === 'admin' ? ['', 0] : [asker.username, asker.id];
    const there = new Set((await this.owned.all(user, account)).map(sameAs));
    const rows: NewMonitor[] = [];
    const lines = candidates.map(({ name, values, notes, reason }): ImportLine => {
      const line = { name, values, notes, reason, pushUrl: null };
      if (values === null) return { ...line, outcome: 'refused' };
      if (there.has(sameAs(values))) return { ...line, outcome: 'there' };
      if (left < 1) return { ...line, notes: [], outcome: 'refused', reason: noPlace(places.limit) };
      left -= 1;
      there.add(sameAs(values));
      const { row, pushUrl } = this.repository.rowOf(values, asker);
      rows.push(row);
      return { ...line, outcome: 'new', pushUrl };
    });
    return { lines, rows };
  }
}

/** Reason if the limit is reached. */
const noPlace = (limit: number): TextRef =>
  limit === 0 ? { key: 'monitor.not_included' } : { key: 'monitor.import.no_place', params: { n: limit } };

/** Values from a file can violate only the length rules of the form. */
const tooLong = ([{ field }]: readonly [FieldProblem, ...FieldProblem[]]): MonitorError =>
  new MonitorError('FIELD_WRONG', {}, { [field]: { key: 'monitor.import.no_length', params: { field } } });

/** The text of the first field is more specific than the general message. */
function reasonOf({ fields = {}, told }: MonitorError): TextRef {
  const [first = told] = Object.values(fields);
  return typeof first === 'string' ? { key: first } : first;
}

/** Monitors with the same values check the same target. */
const sameAs = ({ type, name, url }: { type: string; name: string; url: string }): string => JSON.stringify([type, name, url]);

const hostOf = ({ values }: Candidate): string | null => (values ? hostOfTarget(values.type, values.url) : null);
