/**
 * How a server of the HTTP benches talks to the bench: it says where it listens, what processor time it has
 * used, and how it fared under watch.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Between two looks at the memory, in milliseconds. */
const SAMPLE_MS = 10;

/** @param {{ port: number, cookie?: string }} ready port of loopback, and the cookie that signs a caller in */
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

/** Watches until it is called: most of the resident set and what it was before, in bytes; delays of the event loop, in milliseconds. */
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
