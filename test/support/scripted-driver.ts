import { DRIVER_CALLS } from '../../src/hosting/driver/plugin-driver/check-record.js';
import { type DriverResult, type HostDriver, portsOf, type SitePortName } from '../../src/hosting/index.js';

import type { FakeOutcome } from './fake-driver.js';

/** Scripted outcomes of the next calls; calls without one succeed. */
export class OutcomeScript {
  outcomes: FakeOutcome[] = [];
  readonly calls: string[] = [];

  async play<Value>(name: string, run: () => Promise<DriverResult<Value>>): Promise<DriverResult<Value>> {
    this.calls.push(name);
    const outcome = this.outcomes.shift() ?? 'ok';
    if (outcome === 'refused' || outcome === 'unreachable') return { outcome, message: outcome };
    if (outcome === 'lost') return { outcome: 'unknown', message: 'timeout' };
    if (outcome === 'throws') throw new Error('broken pipe');
    const result = await run();
    return outcome === 'applied' ? { outcome: 'unknown', message: 'timeout' } : result;
  }
}

/** Calls about a single account. */
const LIFE: readonly string[] = DRIVER_CALLS.filter((name) => name !== 'probe' && name !== 'list');

/**
 * Wraps a driver whose calls, those of its ports included, get the outcomes of a script.
 *
 * @param lies wrong results of a faulty driver, by call, such as `files.write`
 */
export function scriptedDriver(
  real: HostDriver,
  type: string,
  script: OutcomeScript,
  lies: Map<string, () => DriverResult<unknown>>,
): HostDriver {
  const played =
    (name: string, call: (...given: unknown[]) => Promise<DriverResult<unknown>>) =>
    (...given: unknown[]): Promise<DriverResult<unknown>> =>
      script.play(name, async () => lies.get(name)?.() ?? (await call(...given)));
  const portOf = (name: SitePortName): object =>
    new Proxy(real[name]!, {
      get(port, key) {
        const value: unknown = Reflect.get(port, key);
        return typeof value === 'function' ? played(`${name}.${String(key)}`, value.bind(port) as never) : value;
      },
    });
  const ports = new Map<string | symbol, object>(portsOf(real).map((name) => [name, portOf(name)]));
  return new Proxy(real, {
    get(driver, key) {
      if (key === 'type') return type;
      if (key === 'single') return false;
      if (ports.has(key)) return ports.get(key);
      const value: unknown = Reflect.get(driver, key);
      if (typeof value !== 'function') return value;
      const bound = value.bind(driver) as never;
      return LIFE.includes(String(key)) ? played(String(key), bound) : bound;
    },
  });
}
