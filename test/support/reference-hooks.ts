import { CallDeadlines, Faults, PluginCalls } from '../../src/common/index.js';
import { HookRegistry } from '../../src/hooks/index.js';

type Callback = (...args: unknown[]) => unknown;

/** Listener as the reference library identifies it: by hook and namespace. */
interface Registered {
  readonly hook: string;
  readonly namespace: string;
  readonly undo: () => void;
}

/**
 * Returns the error message of the reference library for invalid arguments, or null; it logs the message to the console and adds nothing.
 */
function refusal(hook: unknown, namespace: unknown, callback: unknown, priority: unknown): string | null {
  if (typeof hook !== 'string' || hook === '') return 'The hook name must be a non-empty string.';
  if (hook.startsWith('__')) return 'The hook name cannot begin with `__`.';
  if (!/^[a-zA-Z][a-zA-Z0-9_.-]*$/.test(hook)) return 'The hook name can only contain numbers, letters, dashes, periods and underscores.';
  if (typeof namespace !== 'string' || namespace === '') return 'The namespace must be a non-empty string.';
  if (!/^[a-zA-Z][a-zA-Z0-9_.\-/]*$/.test(namespace))
    return 'The namespace can only contain numbers, letters, dashes, periods, underscores and slashes.';
  if (typeof callback !== 'function') return 'The hook callback must be a function.';
  if (typeof priority !== 'number') return 'If specified, the hook priority must be a number.';
  return null;
}

/**
 * One kind of hooks of the reference library on top of our registry; implements what the registry has no counterpart of (counts, `all`).
 */
class ReferenceKind {
  private registered: Registered[] = [];
  private readonly running: string[] = [];
  private readonly runs = new Map<string, number>();
  private readonly known = new Set<string>();

  constructor(
    private readonly registry: HookRegistry,
    private readonly kind: 'action' | 'filter',
    private readonly tell: (hook: 'hookAdded' | 'hookRemoved', ...args: unknown[]) => void,
  ) {}

  readonly add = (hook: string, namespace: string, callback: Callback, priority = 10): void => {
    const problem = refusal(hook, namespace, callback, priority);
    // The reference library reports errors on the console.
    // eslint-disable-next-line no-console
    if (problem !== null) return console.error(problem);
    const options = { owner: 'core', priority };
    const undo =
      this.kind === 'action' ? this.registry.addAction(hook, callback as never, options) : this.registry.addFilter(hook, callback, options);
    this.registered.push({ hook, namespace, undo });
    this.known.add(hook);
    if (hook !== 'hookAdded') this.tell('hookAdded', hook, namespace, callback, priority);
  };

  readonly remove = (hook: string, namespace: string): number | undefined => {
    const problem = refusal(hook, namespace, () => undefined, 10);
    // eslint-disable-next-line no-console
    if (problem !== null) return void console.error(problem);
    const gone = this.take((one) => one.hook === hook && one.namespace === namespace);
    if (gone > 0 && hook !== 'hookRemoved') this.tell('hookRemoved', hook, namespace);
    return gone;
  };

  readonly removeAll = (hook: string): number => {
    const gone = this.take((one) => one.hook === hook);
    if (hook !== 'hookRemoved') this.tell('hookRemoved', hook, '');
    return gone;
  };

  /** As in the reference library, a hook that once had a listener counts as having one. */
  readonly has = (hook: string, namespace?: string): boolean =>
    namespace === undefined ? this.known.has(hook) : this.registered.some((one) => one.hook === hook && one.namespace === namespace);

  readonly current = (): string | null => this.running.at(-1) ?? null;
  readonly doing = (hook?: string): boolean => (hook === undefined ? this.running.length > 0 : this.running.includes(hook));
  readonly did = (hook: string): number => this.runs.get(hook) ?? 0;

  readonly run = (hook: string, ...args: unknown[]): unknown => {
    this.runs.set(hook, this.did(hook) + 1);
    this.running.push(hook);
    const end = (): void => void this.running.splice(this.running.lastIndexOf(hook), 1);
    let result: unknown;
    try {
      result = this.start(hook, args);
      if (!['all', 'hookAdded', 'hookRemoved'].includes(hook) && this.has('all')) result = this.start('all', [result, ...args.slice(1)]);
    } catch (error) {
      end();
      throw error;
    }
    if (result instanceof Promise) return result.finally(end);
    end();
    return result;
  };

  private start(hook: string, [value, ...others]: unknown[]): unknown {
    if (this.kind === 'filter') return this.registry.applyFilters(hook, value, ...others);
    return this.registry.doAction(hook, ...([value, ...others] as never[]));
  }

  private take(isGone: (one: Registered) => boolean): number {
    const gone = this.registered.filter(isGone);
    this.registered = this.registered.filter((one) => !isGone(one));
    for (const { undo } of gone) undo();
    return gone.length;
  }
}

/**
 * Returns the functions of the reference library, `@wordpress/hooks`, implemented with {@link HookRegistry}.
 *
 * @param failed receives errors of listeners
 */
export function createReferenceHooks(failed: (error: unknown) => void): Record<string, unknown> {
  const faults = Object.assign(new Faults(), { note: (_owner: string, _place: string, error: unknown) => failed(error) });
  const calls = new PluginCalls(new CallDeadlines(), faults);
  const [ofActions, ofFilters] = [new HookRegistry(calls), new HookRegistry(calls)];
  const tell = (hook: string, ...args: unknown[]): void => void actions.run(hook, ...args);
  const actions = new ReferenceKind(ofActions, 'action', tell);
  const filters = new ReferenceKind(ofFilters, 'filter', tell);
  return {
    ...{ addAction: actions.add, removeAction: actions.remove, removeAllActions: actions.removeAll, hasAction: actions.has },
    ...{ addFilter: filters.add, removeFilter: filters.remove, removeAllFilters: filters.removeAll, hasFilter: filters.has },
    ...{ doAction: actions.run, applyFilters: filters.run },
    doActionAsync: async (...args: [string]) => actions.run(...args),
    applyFiltersAsync: async (...args: [string]) => filters.run(...args),
    ...{ currentAction: actions.current, doingAction: actions.doing, didAction: actions.did },
    ...{ currentFilter: filters.current, doingFilter: filters.doing, didFilter: filters.did },
    ...{ actions: {}, filters: {} },
  };
}
