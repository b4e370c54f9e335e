/**
 * Messages between a server of the HTTP benches and the bench: the port it listens on, the processor time it has used, and its memory and
 * delays under watch.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';

import { portOf } from '../typed.mjs';

/** Sampling interval of the memory, in milliseconds. */
const SAMPLE_MS = 10;

/** @param {{ port: number, cookie?: string }} ready port on loopback, and the cookie of a signed-in caller */
export function ready({ port, cookie = '' }) {
  let watched = null;
  process.on('message', (message) => {
    if (message === 'cpu') {
      const { user, system } = process.cpuUsage();
      process.send({ cpu: user + system });
    }
    if (message === 'watch') {
      watched = watch();
      process.send({ watching: true });
    }
    if (message === 'seen') process.send(watched());
  });
  process.on('disconnect', () => process.exit(0));
  process.send({ port, cookie });
}

/** Listens on a free port of loopback, and reports it. @param {import('node:net').Server} server */
export function listen(server) {
  server.listen(0, '127.0.0.1', () => ready({ port: portOf(server) }));
}

/** Monitors until the returned function is called: peak and initial resident set in bytes; delays of the event loop in milliseconds. */
function watch() {
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  let peak = before;
  const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), SAMPLE_MS);
  const delay = monitorEventLoopDelay({ resolution: 2 });
  delay.enable();
  return () => {
    clearInterval(timer);
    delay.disable();
    return { before, peak: Math.max(peak, process.memoryUsage.rss()), delay: { p99: delay.percentile(99) / 1e6, max: delay.max / 1e6 } };
  };
}
