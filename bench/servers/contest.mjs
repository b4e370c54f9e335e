/**
 * Compares HTTP servers: each is a process of its own, only one has traffic at a time, and all take turns within every round. On two cores
 * that leaves one for the server and one for the client.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { request } from 'node:http';
import { devNull } from 'node:os';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

import autocannon from 'autocannon';

import { median } from '../measure.mjs';

const CONNECTIONS = 20;
/** Warm-up requests: V8 recompiles during some 2,000 requests, regardless of the machine's speed. */
const WARM_UP_REQUESTS = 3_000;

/**
 * @typedef {object} Candidate
 * @property {string} name
 * @property {string} [server] file in this folder
 * @property {number} [at] port of a running server to use instead of starting one; its processor time is not measured
 * @property {Record<string, string>} [headers]
 * @property {Record<string, string>} [env]
 * @property {string} [method]
 * @property {string} path
 * @property {string} [body] a form
 * @property {(text: string) => boolean} accepts whether an answer is correct; called once, before the measurement
 */

/**
 * @typedef {{ name: string, rate: number, cpu: number, rates: number[], cpus: number[] }} Standing requests a second,
 * µs of processor time a request
 */

async function start(candidate, servers) {
  if (candidate.at) return { port: candidate.at };
  const key = JSON.stringify([candidate.server, candidate.env]);
  if (!servers.has(key)) {
    const child = fork(fileURLToPath(new URL(candidate.server, import.meta.url)), {
      env: { ...process.env, ...candidate.env },
      execArgv: process.env.SERVER_FLAGS?.split(' ') ?? [],
      // Logs cost the server the usual time to write, and nothing else.
      stdio: ['ignore', openSync(devNull, 'w'), 'inherit', 'ipc'],
    });
    const failed = once(child, 'exit').then(([code]) => Promise.reject(new Error(`${candidate.server} ended with ${code}.`)));
    failed.catch(() => undefined);
    const [{ port, cookie }] = await Promise.race([once(child, 'message'), failed]);
    servers.set(key, { child, port, cookie });
  }
  return servers.get(key);
}

async function cpuOf(child) {
  if (!child) return 0;
  child.send('cpu');
  const [{ cpu }] = await once(child, 'message');
  return cpu;
}

function requestOf({ method = 'POST', path, body, headers: own }, { port, cookie }) {
  const headers = { ...own, ...(cookie ? { cookie } : {}), ...(body ? { 'content-type': 'application/x-www-form-urlencoded' } : {}) };
  return { url: `http://127.0.0.1:${port}${path}`, method, headers, body };
}

/** Like `fetch`, but allows another name in `Host`. */
function ask(url, { method, headers, body }) {
  return new Promise((resolve, reject) => {
    const asked = request(url, { method, headers }, async (answer) => {
      resolve({ status: answer.statusCode, text: await text(answer) });
    });
    asked.on('error', reject).end(body);
  });
}

async function check(candidate, server) {
  const { url, ...rest } = requestOf(candidate, server);
  const { status, text } = await ask(url, rest);
  if (status !== 200 || !candidate.accepts(text)) throw new Error(`${candidate.name} answers ${status} ${text.slice(0, 300)}`);
}

/** @param length `{ duration }` in seconds or `{ amount }` of requests */
async function turn(candidate, server, length) {
  const before = await cpuOf(server.child);
  const result = await autocannon({ ...requestOf(candidate, server), connections: CONNECTIONS, ...length });
  const cpu = (await cpuOf(server.child)) - before;
  const answered = result['2xx'];
  if (answered === 0 || result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${candidate.name}: ${answered} answers, ${result.non2xx} refusals, ${result.errors} errors.`);
  }
  return { rate: answered / result.duration, cpu: cpu / answered };
}

/**
 * @param {Candidate[]} candidates those with the same server and environment share one process
 * @param {{ rounds?: number, seconds?: number }} [options]
 * @returns {Promise<Map<string, Standing>>}
 */
export async function contest(candidates, { rounds = 5, seconds = 2 } = {}) {
  const servers = new Map();
  try {
    const entries = [];
    for (const candidate of candidates) {
      const server = await start(candidate, servers);
      await check(candidate, server);
      entries.push({ candidate, server, rates: [], cpus: [] });
    }
    for (const { candidate, server } of entries) await turn(candidate, server, { amount: WARM_UP_REQUESTS });
    for (let round = 0; round < rounds; round += 1) {
      for (const entry of round % 2 ? [...entries].reverse() : entries) {
        const { rate, cpu } = await turn(entry.candidate, entry.server, { duration: seconds });
        entry.rates.push(rate);
        entry.cpus.push(cpu);
      }
    }
    return new Map(
      entries.map(({ candidate: { name }, rates, cpus }) => [name, { name, rates, cpus, rate: median(rates), cpu: median(cpus) }]),
    );
  } finally {
    for (const { child } of servers.values()) {
      if (child.exitCode !== null) continue;
      const gone = once(child, 'exit');
      child.disconnect();
      await gone;
    }
  }
}

/** How many times as many requests `a` serves as `b`: the median over the rounds. */
export function speed(a, b) {
  return median(a.rates.map((value, round) => value / b.rates[round]));
}

/** The same by processor time of the servers, which other processes affect less. */
export function thrift(a, b) {
  return median(a.cpus.map((value, round) => b.cpus[round] / value));
}
