import { PluginCallError, errorWithout } from '../../../common/index.js';
import type { DriverNode, DriverResult } from '../host-driver.js';

import { resultOf, type Read } from './answers.js';

/**
 * Runs a call into the plugin: counts it, and gives it a time by its kind. `work` is long work with files, whose end somebody else decides.
 */
export type DriverCallGuard = (place: string, kind: 'driver' | 'work', call: () => unknown) => unknown;

/** Deadline, error report and cancellation of calls into a plugin's driver. */
export interface DriverCallParts {
  /** Such as `host driver panel`. */
  readonly place: string;
  readonly guard: DriverCallGuard;
  /** Records what went wrong in the plugin's code. */
  readonly failed: (place: string, error: unknown) => void;
  /** Aborted when the plugin is switched off. */
  readonly gone: AbortSignal;
  /** Keys of the fields nobody is to read in an error. */
  readonly secretFields: readonly string[];
}

/** One call into a plugin's driver. */
export interface DriverCall<Value> {
  /** Of the function, such as `create`. */
  readonly name: string;
  readonly node: DriverNode;
  /** When nobody waits for it any more. */
  readonly until: AbortSignal;
  readonly run: (signal: AbortSignal) => unknown;
  readonly read: Read<Value>;
  readonly kind?: 'driver' | 'work';
  /** What else of the call nobody is to read in an error. */
  readonly secrets?: readonly string[];
}

/** Shorter secrets are words that stand anywhere. */
const MIN_SECRET = 4;

/**
 * The one way from the panel into a plugin's driver. It answers whatever happens there: what throws, never settles, is switched off
 * meanwhile or answers with something else than an outcome is `unknown`; a plugin that is not asked at the moment is `unreachable`.
 */
export class DriverCalls {
  constructor(private readonly parts: DriverCallParts) {}

  /** @throws what `until` was aborted with, of long work alone: who ended it knows why */
  async ask<Value>({ name, node, until, run, read, kind = 'driver', secrets: own = [] }: DriverCall<Value>): Promise<DriverResult<Value>> {
    const { guard, failed, gone } = this.parts;
    const place = `${this.parts.place}: ${name}`;
    if (gone.aborted) return { outcome: 'unreachable', message: 'the plugin is switched off' };
    // Looked at when something is said: some are made while the plugin works.
    const secrets = (): string[] =>
      [...own, node.panelKey, ...this.parts.secretFields.map((key) => node.settings[key] ?? '')].filter(
        ({ length }) => length >= MIN_SECRET,
      );
    const clean = (said: string): string => secrets().reduce((left, secret) => left.replaceAll(secret, '••••'), said);
    const ending = new AbortController();
    const signals = [until, gone];
    let end: () => void = () => undefined;
    const ended = new Promise<never>((_resolve, reject) => {
      end = () => {
        ending.abort();
        reject(new Error(gone.aborted ? 'the plugin was switched off meanwhile' : 'timeout'));
      };
    });
    if (until.aborted) end();
    for (const signal of signals) signal.addEventListener('abort', end);
    try {
      const answered = await Promise.race([ended, Promise.resolve(guard(place, kind, () => run(ending.signal)))]);
      return resultOf(answered, read, clean);
    } catch (thrown) {
      ending.abort();
      if (kind === 'work') until.throwIfAborted();
      if (thrown instanceof PluginCallError && thrown.code === 'PLUGIN_PAUSED') return { outcome: 'unreachable', message: thrown.message };
      const error = thrown instanceof PluginCallError ? thrown : errorWithout(secrets(), thrown);
      if (!until.aborted && !gone.aborted) failed(place, error);
      return { outcome: 'unknown', message: error.message.slice(0, 500) };
    } finally {
      for (const signal of signals) signal.removeEventListener('abort', end);
    }
  }
}
