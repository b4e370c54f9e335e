/** Starts servers that monitor their own memory and event loop (report.mjs). */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import { fileURLToPath } from 'node:url';

import { jsonOf } from '../typed.mjs';

/** Starts a server of this folder in a process of its own. @param {string} server its file */
export async function start(server, env) {
  if (env.DATA_DIR) mkdirSync(env.DATA_DIR, { recursive: true });
  const child = fork(fileURLToPath(new URL(server, import.meta.url)), {
    env: { ...process.env, ...env, LOG_LEVEL: 'silent' },
    execArgv: ['--expose-gc', ...(process.env.SERVER_FLAGS?.split(' ') ?? [])],
    stdio: ['ignore', openSync(devNull, 'w'), 'inherit', 'ipc'],
  });
  const failed = once(child, 'exit').then(([code, signal]) => Promise.reject(new Error(`${server} ended with ${code ?? signal}.`)));
  failed.catch(() => undefined);
  const [{ port, cookie }] = await Promise.race([once(child, 'message'), failed]);
  return { child, url: `http://127.0.0.1:${port}`, cookie };
}

/**
 * Runs an operation of administrators.
 * @param {{ url: string, cookie: string }} server
 * @param {URLSearchParams | FormData} body
 */
export const operate = async ({ url, cookie }, body) =>
  jsonOf(await fetch(`${url}/admin/ajax.php`, { method: 'POST', headers: { cookie }, body }));

/** Sends it a question of report.mjs. */
export async function ask(child, question) {
  child.send(question);
  return (await once(child, 'message'))[0];
}
