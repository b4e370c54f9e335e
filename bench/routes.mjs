/**
 * Cost of finding the plugin route of a request: the route table compared with find-my-way, a path-to-regexp scan and the router of Express
 * 5, with the same routes and requests, in the same run. Run with `npm run bench:routes`.
 *
 * Two kinds of traffic answer two questions. "Some routes asked": 100 routes spread over the whole table get all requests, so that only the
 * size of the table changes; this shows whether the cost of a lookup depends on it. "Every route asked": all routes equally often, the
 * worst case for the processor's caches, which 10,000 routes exceed.
 *
 * Bars: with every route asked at most the time of find-my-way at 1,000 and at 10,000 routes; with some routes asked at 10,000 routes at
 * most 1.5 times the time at 100. The candidates take turns in every round; a ratio is the median of the ratios per round, so that a slow
 * moment of the machine affects both sides.
 *
 * The comparison is uneven: the table returns all candidates by priority; find-my-way returns only the most specific route.
 */
import { performance } from 'node:perf_hooks';
import findMyWay from 'find-my-way';
import { match as compilePath } from 'path-to-regexp';
import Router from 'router';
import { RouteTable } from '#dist/src/operations/routes/route-table.js';
import { standIn } from './typed.mjs';

const ROUTES = [10, 100, 1_000, 10_000];
const HOT_ROUTES = 100;
const ROUNDS = 31;
/** Target duration of one candidate's turn. */
const TURN_MS = 8;
const MOST_REQUESTS = 20_000;
const BAR_RATIO = 1.0;
const BAR_FLAT = 1.5;

const handler = () => undefined;

/** Ten routes of one shop-like plugin; `request` is a path that matches the route. */
function pluginRoutes(n) {
  const base = `/plugin-${n}`;
  return [
    ['GET', base, base],
    ['GET', `${base}/order/{plan_id}`, `${base}/order/4711`],
    ['GET', `${base}/assets`, `${base}/assets`],
    ['GET', `${base}/api/plans`, `${base}/api/plans`],
    ['GET', `${base}/api/plan/{plan_id}`, `${base}/api/plan/12`],
    ['GET', `${base}/api/users/{user}/orders/{order}`, `${base}/api/users/mb1a2b3c/orders/20260101120000123456`],
    ['POST', `${base}/api/create_order`, `${base}/api/create_order`],
    ['POST', `/pay/plugin-${n}/notify`, `/pay/plugin-${n}/notify`],
    ['GET', `/pay/plugin-${n}/return`, `/pay/plugin-${n}/return`],
    ['GET', `/account/plugin-${n}/{section}`, `/account/plugin-${n}/profile`],
  ].map(([method, path, request]) => ({ method, path, request }));
}

const colon = (path) => path.replace(/\{(\w+)\}/g, ':$1');

const candidates = {
  'route table': (routes) => {
    const table = new RouteTable();
    for (const { method, path } of routes) table.add({ method, path, owner: 'bench', handler });
    return (method, path) => {
      const found = table.match(method, path);
      return found.length === 1 && found[0].params;
    };
  },
  'find-my-way': (routes) => {
    const router = findMyWay({ ignoreTrailingSlash: true, caseSensitive: true, querystringParser: () => null });
    for (const { method, path } of routes) router.on(method, colon(path), handler);
    return (method, path) => router.find(method, path)?.params;
  },
  'path-to-regexp scan': (routes) => {
    const compiled = routes.map(({ method, path }) => ({ method, match: compilePath(colon(path), { sensitive: true }) }));
    return (method, path) => {
      for (const route of compiled) {
        if (route.method !== method) continue;
        const found = route.match(path);
        if (found) return found.params;
      }
      return undefined;
    };
  },
  'Express 5 router': (routes) => {
    const router = Router({ caseSensitive: true });
    let params;
    const keep = (request) => {
      params = request.params;
    };
    for (const { method, path } of routes) router[method.toLowerCase()](colon(path), keep);
    return (method, path) => {
      params = undefined;
      router(standIn({ method, url: path }), standIn({}), () => undefined);
      return params;
    };
  },
};

const median = (values) => values.toSorted((one, other) => one - other)[values.length >> 1];
const random = (() => {
  let state = 42;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
})();

/** Requests as a server receives them: every path a new string, without a hash code from an earlier lookup. */
function freshRequests(routes, count) {
  return Array.from({ length: count }, () => {
    const { method, request } = routes[random(routes.length)];
    return { method, path: Buffer.from(request).toString('latin1') };
  });
}

/** Measures one lookup, in nanoseconds. */
function turn(find, requests) {
  let missed = 0;
  const start = performance.now();
  for (const { method, path } of requests) if (!find(method, path)) missed++;
  const spent = performance.now() - start;
  if (missed > 0) throw new Error(`${missed} requests found no route.`);
  return (spent * 1e6) / requests.length;
}

function workload(routeCount, asked) {
  const routes = Array.from({ length: routeCount / 10 }, (_, n) => pluginRoutes(n)).flat();
  // 101 is coprime to the ten routes of a plugin, so every kind of route is requested.
  const wanted = Array.from({ length: Math.min(asked, routeCount) }, (_, n) => routes[asked < routeCount ? (n * 101) % routeCount : n]);
  return { routes, wanted };
}

/** Time of the route table with `many` routes as a multiple of its time with `few`, in paired rounds. */
function growth(few, many) {
  const runners = [few, many].map((count) => {
    const { routes, wanted } = workload(count, HOT_ROUTES);
    return { wanted, find: candidates['route table'](routes), times: [] };
  });
  for (let round = -3; round < ROUNDS; round++) {
    for (const runner of round % 2 === 0 ? runners : runners.toReversed()) {
      const time = turn(runner.find, freshRequests(runner.wanted, MOST_REQUESTS));
      if (round >= 0) runner.times.push(time);
    }
  }
  return median(runners[1].times.map((time, round) => time / runners[0].times[round]));
}

function measure(routeCount, asked) {
  const { routes, wanted } = workload(routeCount, asked);
  const runners = Object.entries(candidates).map(([name, build]) => ({ name, find: build(routes), times: [], count: 0 }));
  for (const runner of runners) {
    // Warm-up, and the number of lookups that fill a turn.
    const first = turn(runner.find, freshRequests(wanted, 20));
    const trial = Math.max(20, Math.min(MOST_REQUESTS, Math.round((20 * 1e6) / first)));
    const warm = turn(runner.find, freshRequests(wanted, trial));
    runner.count = Math.max(20, Math.min(MOST_REQUESTS, Math.round((TURN_MS * 1e6) / warm)));
  }
  for (let round = 0; round < ROUNDS; round++) {
    for (const runner of round % 2 === 0 ? runners : runners.toReversed()) {
      runner.times.push(turn(runner.find, freshRequests(wanted, runner.count)));
    }
  }
  const [ours] = runners;
  return runners.map(({ name, times }) => ({
    name,
    time: median(times),
    ratio: median(times.map((time, round) => ours.times[round] / time)),
  }));
}

const format = (nanoseconds) => (nanoseconds >= 10_000 ? `${(nanoseconds / 1000).toFixed(1)} us` : `${nanoseconds.toFixed(0)} ns`);
const row = (cells) => console.log(cells.map((cell, index) => (index === 0 ? cell.padEnd(8) : cell.padStart(24))).join(''));

function table(title, asked) {
  console.log(`\n${title}`);
  row(['routes', ...Object.keys(candidates)]);
  return new Map(
    ROUTES.map((count) => {
      const cells = measure(count, asked);
      row([
        String(count),
        ...cells.map(({ time, ratio }, index) => (index === 0 ? format(time) : `${format(time)} (${ratio.toFixed(3)}x)`)),
      ]);
      return [count, cells];
    }),
  );
}

const grown = growth(100, 10_000);
console.log(`Finding a plugin route, medians of ${ROUNDS} paired rounds; in brackets route table / this candidate.`);
table(`Some routes asked (${HOT_ROUTES}):`, HOT_ROUTES);
const every = table('Every route asked equally often:', Infinity);

console.log();
function verdict(text, value, bar) {
  console.log(`${text.padEnd(66)} ${value.toFixed(2)}x (bar ${bar.toFixed(1)}x)  ${value <= bar ? 'PASS' : 'MISS'}`);
  if (value > bar) process.exitCode = 1;
}
for (const count of [1_000, 10_000]) {
  verdict(`${count} routes, every one asked, of find-my-way's time`, every.get(count)[1].ratio, BAR_RATIO);
}
verdict('10000 routes, some asked, of the time at 100', grown, BAR_FLAT);
