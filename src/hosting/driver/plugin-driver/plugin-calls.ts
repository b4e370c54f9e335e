import { PluginCallError, errorWithout } from '../../../common/index.js';
import type { DriverNode, DriverResult } from '../host-driver.js';

import { resultOf, type Read } from './answers.js';

/** Runs a call into the plugin: counts it and limits its time by kind. `work` is long work with files, which only its caller ends. */
export type DriverCallGuard = (label: string, kind: 'driver' | 'work', call: () => unknown) => unknown;

/** Deadline, error report and cancellation of calls into a plugin's driver. */
export interface DriverCallParts {
  /** Such as `host driver panel`. */
  readonly label: string;
  readonly guard: DriverCallGuard;
  /** Records an error of the plugin's code. */
  readonly failed: (label: string, error: unknown) => void;
  /** Aborted when the plugin is disabled. */
  readonly gone: AbortSignal;
  /** Keys of fields whose values must not appear in errors. */
  readonly secretFields: readonly string[];
}

/** One call into a plugin's driver. */
export interface DriverCall<Value> {
  /** Name of the function, such as `create`. */
  readonly name: string;
  readonly node: DriverNode;
  /** Aborted at the deadline of the call. */
  readonly until: AbortSignal;
  readonly run: (signal: AbortSignal) => unknown;
  readonly read: Read<Value>;
  readonly kind?: 'driver' | 'work';
  /** Other values of the call that must not appear in errors. */
  readonly secrets?: readonly string[];
}

/** Shorter secrets are not removed, because they also occur as ordinary words. */
const MIN_SECRET = 4;

/**
 * The only way from the panel into a plugin's driver. It always returns a result: a call that throws, never settles, is interrupted by
 * disabling the plugin or returns an invalid outcome is `unknown`; a disabled or paused plugin is `unreachable`.
 */
export class DriverCalls {
  constructor(private readonly parts: DriverCallParts) {}

  /** @throws the abort reason of `until`, only for long work: its caller knows why it was ended */
  async ask<Value>({ name, node, until, run, read, kind = 'driver', secrets: own = [] }: DriverCall<Value>): Promise<DriverResult<Value>> {
    const { guard, failed, gone } = this.parts;
    const label = `${this.parts.label}: ${name}`;
    if (gone.aborted) return { outcome: 'unreachable', message: 'the plugin is disabled' };
    // Evaluated for each message, because some secrets are created while the plugin works.
    const secrets = (): string[] =>
      [...own, node.panelKey, ...this.parts.secretFields.map((key) => node.settings[key] ?? '')].filter(
        ({ length }) => length >= MIN_SECRET,
      );
    const clean = (text: string): string => secrets().reduce((left, secret) => left.replaceAll(secret, '••••'), text);
    const ending = new AbortController();
    const signals = [until, gone];
    let end: () => void = () => undefined;
    const ended = new Promise<never>((_resolve, reject) => {
      end = () => {
        ending.abort();
        reject(new Error(gone.aborted ? 'the plugin was disabled in the meantime' : 'timeout'));
      };
    });
    if (until.aborted) end();
    for (const signal of signals) signal.addEventListener('abort', end);
    try {
      const answered = await Promise.race([ended, Promise.resolve(guard(label, kind, () => run(ending.signal)))]);
      return resultOf(answered, read, clean);
    } catch (thrown) {
      ending.abort();
      if (kind === 'work') until.throwIfAborted();
      if (thrown instanceof PluginCallError && thrown.code === 'PLUGIN_PAUSED') return { outcome: 'unreachable', message: thrown.message };
      const error = thrown instanceof PluginCallError ? thrown : errorWithout(secrets(), thrown);
      if (!until.aborted && !gone.aborted) failed(label, error);
      return { outcome: 'unknown', message: error.message.slice(0, 500) };
    } finally {
      for (const signal of signals) signal.removeEventListener('abort', end);
    }
  }
}
