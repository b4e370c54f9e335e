/** Hook dispatch against a plain loop and common libraries, ten synchronous listeners each. Run: `npm run bench:hooks`. */
import { EventEmitter } from 'node:events';

import { createHooks } from '@wordpress/hooks';
import { createHooks as createHookable } from 'hookable';
import { SyncHook } from 'tapable';

import { executionContext } from '#dist/src/common/index.js';
import { HookRegistry } from '#dist/src/hooks/index.js';
import { formatTime, measure, printBars, printTable, ratio } from './measure.mjs';

const LISTENERS = 10;
/** Alternating between two hooks measures calls that differ from the previous one. */
const HOOKS = ['bench', 'bench.other'];
let sink = 0;

/** Ten functions with separate code, like listeners of ten plugins: closures of one function would be inlined everywhere. */
const listeners = Array.from({ length: LISTENERS }, (_, i) =>
  new Function('add', `'use strict'; return (user, id) => { add(id + ${i}); }`)((value) => {
    sink = (sink + value) | 0;
  }),
);

function registryWith(optionsOf) {
  const registry = new HookRegistry();
  for (const hook of HOOKS) listeners.forEach((listener, i) => registry.addAction(hook, listener, optionsOf(i)));
  return registry;
}

/** Minimal hook: no name, no isolation, no order, but listeners can be added and removed. */
class PlainLoop {
  listeners = [...listeners];

  fire(user, id) {
    for (let n = 0; n < this.listeners.length; n++) this.listeners[n](user, id);
  }
}

const plain = new PlainLoop();
const single = registryWith(() => ({ owner: 'core' }));
const owners = registryWith((i) => ({ owner: `plugin_${i}` }));
const emptied = new HookRegistry();
emptied.addAction('bench', listeners[0], { owner: 'core' })();

const wordpress = createHooks();
listeners.forEach((listener, i) => wordpress.addAction('bench', `plugin/listener${i}`, listener));
const wordpressEmpty = createHooks();
const tapable = new SyncHook(['user', 'id']);
listeners.forEach((listener, i) => tapable.tap(`plugin_${i}`, listener));
const emitter = new EventEmitter();
listeners.forEach((listener) => emitter.on('bench', listener));
const hookable = createHookable();
listeners.forEach((listener) => hookable.hook('bench', listener));

const names = {
  loop: 'plain loop',
  single: 'HookRegistry, context of one owner',
  turns: 'HookRegistry, the same, two hooks in turn',
  owners: 'HookRegistry, context of 10 owners',
  empty: 'HookRegistry, no listener',
  emptyTurns: 'HookRegistry, no listener, two hooks in turn',
  wordpress: '@wordpress/hooks',
  wordpressEmpty: '@wordpress/hooks, no listener',
  tapable: 'tapable (generated code, no isolation)',
  emitter: 'EventEmitter (no isolation)',
  hookable: 'hookable (awaits everything)',
};

// In the running panel the context is always in use; on Node 20 its first use slows every promise, for all candidates alike.
executionContext.run({ owner: 'core' }, () => undefined);

const results = await measure([
  { name: names.loop, run: (i) => plain.fire('alice', i) },
  { name: names.single, run: (i) => single.doAction('bench', 'alice', i) },
  { name: names.turns, run: (i) => single.doAction(HOOKS[i & 1], 'alice', i) },
  { name: names.owners, run: (i) => owners.doAction('bench', 'alice', i) },
  { name: names.empty, run: (i) => emptied.doAction('bench', 'alice', i) },
  { name: names.emptyTurns, run: (i) => emptied.doAction(HOOKS[i & 1], 'alice', i) },
  { name: names.wordpress, run: (i) => wordpress.doAction('bench', 'alice', i) },
  { name: names.wordpressEmpty, run: (i) => wordpressEmpty.doAction('bench', 'alice', i) },
  { name: names.tapable, run: (i) => tapable.call('alice', i) },
  { name: names.emitter, run: (i) => emitter.emit('bench', 'alice', i) },
  { name: names.hookable, run: (i) => hookable.callHook('bench', 'alice', i), asynchronous: true },
]);
const loop = results.get(names.loop);

process.stdout.write(`\n${LISTENERS} synchronous listeners, Node ${process.version}\n\n`);
printTable(
  ['dispatch', 'per run', 'x loop'],
  [...results.values()].map((result) => [result.name, formatTime(result.median), ratio(result, loop).toFixed(2)]),
);

const of = (key) => results.get(names[key]);
printBars([
  { claim: "with every owner's context", value: of('owners').median, limit: 400, unit: 'ns' },
  { claim: 'empty hook', value: of('empty').median, limit: 10, unit: 'ns' },
  { claim: 'of one owner: faster than @wordpress/hooks', value: ratio(of('wordpress'), of('single')), limit: 3, atLeast: true, unit: 'x' },
  { claim: 'of 10 owners: faster than @wordpress/hooks', value: ratio(of('wordpress'), of('owners')), limit: 2, atLeast: true, unit: 'x' },
]);
