#!/usr/bin/env node
/**
 * The agent of a hosting server: asks the panel for work over `/api/node.php`, does it, and reports.
 * One file without dependencies, for Node 18 or newer: copy it to the server and run `node svc-agent.mjs --config agent.json`.
 * It opens no port, starts no program and writes only into its state folder. agent/README.md says how to set it up.
 */
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { closeSync, constants as fsConstants, createReadStream, fstatSync, lstat, open, read, realpathSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import http from 'node:http';
import https from 'node:https';
import * as nodeBuffer from 'node:buffer';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import tls from 'node:tls';
import { pathToFileURL } from 'node:url';
import { parseArgs, promisify } from 'node:util';

/** Version of this program, told to the panel with every heartbeat. */
export const AGENT_VERSION = '0.1.0';

/** What this program can do; a config may switch off parts of it, not add to it. */
const CAPABILITIES = ['heartbeat', 'task', 'report', 'forbidden_scan'];
/** What the panel's config names and other agents can do: left out without a word. */
const OTHER_CAPABILITIES = ['site_stats'];

/** Limits of one report: the panel bounds what it reads. */
const REPORT_LIMITS = { matches: 5_000, bytes: 4 * 1024 * 1024 };
const ANSWER_LIMIT_BYTES = 4 * 1024 * 1024;
const HTTP_TIMEOUT_MS = 5_000;
/** The panel calls a node offline when its last heartbeat is older. */
const OFFLINE_AFTER_SECONDS = 60;
/** The panel refuses signatures whose time is further away. */
const SIGNATURE_WINDOW_SECONDS = 300;

// ---------------------------------------------------------------------------------------------------------------- log

const LEVELS = { DEBUG: 10, INFO: 20, WARNING: 30, ERROR: 40 };

/** @typedef {keyof typeof LEVELS} Level */
/** @typedef {Record<string, string | number | boolean | undefined>} Fields */

/** Characters that would break a line or colour a terminal; includes the separators U+2028 and U+2029. */
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;

/** @param {string} text */
function oneLine(text) {
  return text.replace(CONTROL_CHARACTERS, ' ').trim();
}

/** @param {unknown} error */
function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}

/** Error code of the operating system, such as `ENOENT`, or ''. @param {unknown} error */
function codeOf(error) {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** Writes one line an event: time, level, text, `name=value`. Secrets it was told about never get out. */
export class Log {
  /**
   * @param {Level} level the least that is written
   * @param {string[]} [secrets]
   * @param {(line: string) => void} [write]
   */
  constructor(level, secrets = [], write = (line) => void process.stdout.write(line)) {
    this.level = LEVELS[level];
    // As they are, and as they stand in a quoted field.
    this.secrets = secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]).filter((secret) => secret !== '');
    this.write = write;
  }

  /** @param {string} text @param {Fields} [fields] */
  debug(text, fields) {
    this.#line('DEBUG', text, fields);
  }

  /** @param {string} text @param {Fields} [fields] */
  info(text, fields) {
    this.#line('INFO', text, fields);
  }

  /** @param {string} text @param {Fields} [fields] */
  warning(text, fields) {
    this.#line('WARNING', text, fields);
  }

  /** @param {string} text @param {Fields} [fields] */
  error(text, fields) {
    this.#line('ERROR', text, fields);
  }

  /** @param {Level} level @param {string} text @param {Fields} [fields] */
  #line(level, text, fields = {}) {
    if (LEVELS[level] < this.level) return;
    let line = text;
    for (const [name, value] of Object.entries(fields)) {
      if (value !== undefined) line += ` ${name}=${typeof value === 'string' ? JSON.stringify(value) : value}`;
    }
    for (const secret of this.secrets) line = line.replaceAll(secret, '***');
    this.write(`${new Date().toISOString()} ${level} ${clip(oneLine(line), 2_000)}\n`);
  }
}

/**
 * At most `length` UTF-16 units, never half a code point.
 * @param {string} text
 * @param {number} length
 */
export function clip(text, length) {
  if (text.length <= length) return text;
  return text.slice(0, isLowSurrogate(text.charCodeAt(length)) ? length - 1 : length);
}

/** @param {number} unit */
function isLowSurrogate(unit) {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

// ------------------------------------------------------------------------------------------------------------- config

/**
 * @typedef {object} Config
 * @property {URL} svcUrl the panel, without `/api/node.php`
 * @property {string} platformSecret
 * @property {string} nodeId
 * @property {string} nodeSecret
 * @property {string} nodeName
 * @property {number} intervalSeconds
 * @property {string[]} capabilities
 * @property {Level} logLevel
 * @property {string | null} sitesRoot scans stay inside it; null: anywhere but system folders
 * @property {string} stateDir absolute
 * @property {number} scanIntervalSeconds least time between two incremental scans of its own
 * @property {string[]} textSuffixes without dot, lower case
 * @property {string | null} caFile PEM file of a certificate authority to trust besides the usual ones
 */

/** Every mistake of a config at once, each saying what to do. */
export class ConfigError extends Error {
  /** @param {string[]} problems */
  constructor(problems) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

const SECRET_ADVICE = 'The panel shows it when the node is added and when its secrets are renewed; a config looked at later has it empty.';

/** Suffixes of files that are searched. */
const TEXT_SUFFIXES = 'php html htm js css txt json md xml vue tpl ini conf yml yaml'.split(' ');

const CONFIG_KEYS = new Set(
  'svc_url platform_secret node_id node_secret node_name version interval_seconds capabilities log_level sites_root state_dir scan_interval_seconds text_suffixes ca_file'.split(
    ' ',
  ),
);

/**
 * Configs of older agents have `mnbt_` where ours have `svc_`. Where both are given, ours counts.
 * @param {Record<string, unknown>} given
 * @returns {Record<string, unknown>}
 */
function withCurrentNames(given) {
  const older = Object.entries(given).filter(([key]) => key.startsWith('mnbt_'));
  const rest = Object.entries(given).filter(([key]) => !key.startsWith('mnbt_'));
  return Object.fromEntries([...older.map(([key, value]) => [`svc_${key.slice('mnbt_'.length)}`, value]), ...rest]);
}

/**
 * Reads a config file's text.
 * @param {string} text JSON as the panel's "add node" shows it, plus the options of the README
 * @param {string} folder where relative paths start: the config file's folder
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {{ config: Config, warnings: string[] }}
 * @throws {ConfigError}
 */
export function parseConfig(text, folder, env = process.env) {
  /** @type {unknown} */
  let parsed;
  try {
    parsed = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new ConfigError([`The config is not valid JSON (${oneLine(messageOf(error))}). Copy it again from the panel, whole.`]);
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new ConfigError(['The config must be a JSON object, { "svc_url": "https://…", … }.']);
  }
  const raw = withCurrentNames(/** @type {Record<string, unknown>} */ (parsed));
  /** @type {string[]} */
  const problems = [];
  /** @type {string[]} */
  const warnings = [];

  for (const key of Object.keys(raw)) {
    if (!CONFIG_KEYS.has(key)) warnings.push(`"${key}" is not an option and is ignored. Options: ${[...CONFIG_KEYS].join(', ')}.`);
  }

  /** @param {string} key @param {string} advice */
  const required = (key, advice) => {
    const value = raw[key];
    if (typeof value === 'string' && value.trim() !== '') return value.trim();
    problems.push(`"${key}" is missing or not a text. ${advice}`);
    return '';
  };
  /** @param {string} key @param {number} fallback @param {number} least @param {number} most */
  const seconds = (key, fallback, least, most) => {
    if (raw[key] === undefined) return fallback;
    const value = Number(raw[key]);
    if (raw[key] !== '' && raw[key] !== null && Number.isInteger(value) && value >= least && value <= most) return value;
    problems.push(`"${key}" must be a whole number of seconds from ${least} to ${most}.`);
    return fallback;
  };
  /** @param {string} key @param {string} advice */
  const optionalPath = (key, advice) => {
    const value = raw[key];
    if (value === undefined || value === null || value === '') return null;
    if (typeof value === 'string' && !value.includes('\0')) return path.resolve(folder, value);
    problems.push(`"${key}" must be a path. ${advice}`);
    return null;
  };
  /** @param {string} key @param {string[]} fallback */
  const words = (key, fallback) => {
    const value = raw[key];
    if (value === undefined) return fallback;
    if (Array.isArray(value) && value.every((entry) => typeof entry === 'string' && entry.trim() !== ''))
      return value.map((entry) => entry.trim());
    problems.push(`"${key}" must be a list of texts, such as ${JSON.stringify(fallback.slice(0, 3))}.`);
    return fallback;
  };

  const svcUrl = readPanelAddress(
    required('svc_url', 'It is the address of the panel, such as "https://panel.example.com".'),
    problems,
    warnings,
  );
  const platformSecret = required('platform_secret', SECRET_ADVICE);
  const nodeId = required('node_id', 'Copy it from the panel: nodes, this node, "config".');
  if (nodeId !== '' && !/^[a-zA-Z0-9_.:-]{1,64}$/.test(nodeId))
    problems.push('"node_id" has 1 to 64 letters, digits, dots, hyphens, underscores and colons. Copy it again from the panel.');
  const nodeSecret = required('node_secret', SECRET_ADVICE);
  const nodeName = typeof raw.node_name === 'string' && raw.node_name.trim() !== '' ? clip(raw.node_name.trim(), 100) : nodeId;

  const intervalSeconds = seconds('interval_seconds', 10, 5, 3600);
  if (intervalSeconds > OFFLINE_AFTER_SECONDS - 5)
    warnings.push(
      `"interval_seconds" ${intervalSeconds}: the panel calls a node offline ${OFFLINE_AFTER_SECONDS} seconds after its last heartbeat; 10 to 30 is usual.`,
    );
  const scanIntervalSeconds = seconds('scan_interval_seconds', 300, 30, 86_400);

  const wanted = words('capabilities', CAPABILITIES);
  const capabilities = CAPABILITIES.filter((capability) => wanted.includes(capability));
  const unable = wanted.filter((capability) => !CAPABILITIES.includes(capability) && !OTHER_CAPABILITIES.includes(capability));
  if (unable.length > 0) warnings.push(`"capabilities": this version cannot do ${unable.join(', ')}.`);

  const level =
    typeof raw.log_level === 'string'
      ? raw.log_level.toUpperCase().replace(/^WARN$/, 'WARNING')
      : raw.log_level === undefined
        ? 'INFO'
        : '';
  if (!(level in LEVELS)) problems.push(`"log_level" must be one of ${Object.keys(LEVELS).join(', ')}.`);

  const sitesRoot = optionalPath('sites_root', 'It is the folder all sites lie in, such as "/www/wwwroot".');
  if (sitesRoot === null)
    warnings.push(
      '"sites_root" is not set: the panel may have any folder scanned. Set it to the folder the sites lie in, such as "/www/wwwroot".',
    );
  else if (sitesRoot === path.parse(sitesRoot).root)
    problems.push('"sites_root" is the whole disk. Set it to the folder the sites lie in, such as "/www/wwwroot".');

  const stateDir =
    optionalPath('state_dir', 'It is a folder of the agent alone, such as "/var/lib/svc-agent".') ??
    path.resolve(env.STATE_DIRECTORY?.split(':')[0] || path.join(folder, 'svc-agent-state'));
  const caFile = optionalPath('ca_file', 'It is a PEM file.');
  const textSuffixes = words('text_suffixes', TEXT_SUFFIXES).map(bareSuffix);

  if (problems.length > 0 || svcUrl === null) throw new ConfigError(problems);
  return {
    config: {
      svcUrl,
      platformSecret,
      nodeId,
      nodeSecret,
      nodeName,
      intervalSeconds,
      capabilities,
      logLevel: /** @type {Level} */ (level),
      sitesRoot,
      stateDir,
      scanIntervalSeconds,
      textSuffixes,
      caFile,
    },
    warnings,
  };
}

/**
 * @param {string} address
 * @param {string[]} problems
 * @param {string[]} warnings
 */
function readPanelAddress(address, problems, warnings) {
  if (address === '') return null;
  let url;
  try {
    url = new URL(address);
  } catch {
    problems.push(
      `"svc_url" is not an address: ${JSON.stringify(clip(address, 100))}. Write it with http:// or https://, such as "https://panel.example.com".`,
    );
    return null;
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    problems.push('"svc_url" must begin with https:// or http://.');
    return null;
  }
  if (url.username !== '' || url.password !== '') {
    problems.push('"svc_url" must not hold a user name or password; requests are signed with the secrets.');
    return null;
  }
  if (url.protocol === 'http:' && !['localhost', '[::1]'].includes(url.hostname) && !url.hostname.startsWith('127.')) {
    warnings.push(
      '"svc_url" is http://: requests are signed and hold no secret, but anybody on the way can read and forge the answers. Use https://.',
    );
  }
  url.search = '';
  url.hash = '';
  url.pathname = url.pathname.replace(/\/api\/node\.php$/, '').replace(/\/+$/, '');
  return url;
}

/** `.PHP` and `php` are `php`. @param {string} suffix */
function bareSuffix(suffix) {
  return suffix.trim().toLowerCase().replace(/^\./, '');
}

/**
 * Reads a config file.
 * @param {string} file
 * @returns {Promise<{ config: Config, warnings: string[] }>}
 * @throws {ConfigError}
 */
export async function loadConfig(file) {
  let text;
  let mode;
  try {
    text = await fs.readFile(file, 'utf8');
    mode = (await fs.stat(file)).mode;
  } catch (error) {
    const code = codeOf(error);
    const advice =
      code === 'ENOENT'
        ? 'There is no such file; give its path with --config.'
        : code === 'EACCES'
          ? 'The user the agent runs as may not read it.'
          : messageOf(error);
    throw new ConfigError([`Cannot read the config ${file}: ${advice}`]);
  }
  const result = parseConfig(text, path.dirname(path.resolve(file)));
  if (process.platform !== 'win32' && (mode & 0o077) !== 0)
    result.warnings.push(`Others may read the secrets in ${file}: run chmod 600 ${file}.`);
  if (result.config.caFile !== null) {
    await fs.access(result.config.caFile, fsConstants.R_OK).catch(() => {
      throw new ConfigError([`"ca_file": cannot read ${result.config.caFile}.`]);
    });
  }
  return result;
}

// -------------------------------------------------------------------------------------------------------------- panel

/**
 * Key of a node's signatures.
 * @param {string} platformSecret
 * @param {string} nodeSecret
 */
export function signingKey(platformSecret, nodeSecret) {
  return createHmac('sha256', platformSecret).update(nodeSecret).digest('hex');
}

/**
 * Signature of a request.
 * @param {string} key of {@link signingKey}
 * @param {{ method: string, target: string, body: string, time: number, nonce: string }} request `target` is path and query as sent
 */
export function signRequest(key, { method, target, body, time, nonce }) {
  const bodyHash = createHash('sha256').update(body).digest('hex');
  return createHmac('sha256', key).update([method, target, bodyHash, time, nonce].join('\n')).digest('hex');
}

/** A call that brought no answer of the panel; the message says what to do. */
export class PanelError extends Error {
  /**
   * @param {'network' | 'timeout' | 'redirect' | 'status' | 'format' | 'size' | 'stopped'} kind
   * @param {string} message
   * @param {{ status?: number, retryAfterSeconds?: number }} [details]
   */
  constructor(kind, message, { status = 0, retryAfterSeconds = 0 } = {}) {
    super(message);
    this.kind = kind;
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** An answer of the panel. What it carries stands under `data`, at the top level, or both. */
export class Answer {
  /** @param {Record<string, unknown>} body */
  constructor(body) {
    this.body = body;
    this.success = body.success === true;
    this.message = typeof body.msg === 'string' ? body.msg : '';
  }

  /** @param {string} name @returns {unknown} */
  field(name) {
    const data = asRecord(this.body.data);
    return data !== null && data[name] !== undefined ? data[name] : this.body[name];
  }
}

/** @param {unknown} value @returns {Record<string, unknown> | null} */
function asRecord(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? /** @type {Record<string, unknown>} */ (value) : null;
}

/** What refusals of the panel mean, for the log. */
const REFUSAL_HINTS = new Map([
  [
    '节点签名校验失败',
    'platform_secret or node_secret is not the one the panel has (copy the config again from the panel, or renew the secrets there), or the clock of this server is wrong',
  ],
  ['节点不存在或已禁用', 'the node was deleted or switched off in the panel'],
  ['缺少节点ID', 'something on the way removed the X-SVC-* headers'],
  ['重复请求', 'the same request reached the panel twice; something on the way repeats requests'],
]);

/** Talks to `/api/node.php`: signs, never follows redirects, bounds time and size of answers. */
export class PanelClient {
  /** Seconds the clock of the panel is ahead of ours, by the last answer; null before the first. @type {number | null} */
  clockSkewSeconds = null;
  #key;
  #config;
  #timeoutMs;
  #ca;

  /**
   * @param {Config} config
   * @param {{ timeoutMs?: number, ca?: string }} [options] `ca`: PEM text of a further authority
   */
  constructor(config, { timeoutMs = HTTP_TIMEOUT_MS, ca } = {}) {
    this.#config = config;
    this.#key = signingKey(config.platformSecret, config.nodeSecret);
    this.#timeoutMs = timeoutMs;
    this.#ca = ca;
  }

  /**
   * One request.
   * @param {'heartbeat' | 'get_config' | 'pull_task' | 'report_result' | 'extend_lease'} act
   * @param {unknown} payload
   * @param {AbortSignal} [stop]
   * @returns {Promise<Answer>} also a refusal: see its `success`
   * @throws {PanelError}
   */
  async call(act, payload, stop) {
    const body = JSON.stringify(payload);
    const base = this.#config.svcUrl;
    const target = `${base.pathname.replace(/\/$/, '')}/api/node.php?act=${act}`;
    const time = Math.floor(Date.now() / 1000);
    const nonce = randomBytes(12).toString('hex');
    const headers = {
      'Content-Type': 'application/json; charset=UTF-8',
      'Content-Length': Buffer.byteLength(body),
      Accept: 'application/json',
      'User-Agent': `svc-agent/${AGENT_VERSION}`,
      Connection: 'close',
      'X-SVC-Node': this.#config.nodeId,
      'X-SVC-Time': String(time),
      'X-SVC-Nonce': nonce,
      'X-SVC-Sign': signRequest(this.#key, { method: 'POST', target, body, time, nonce }),
    };
    // A large report on a slow line gets the time it needs; everything else has to be there within the timeout.
    const timeoutMs = this.#timeoutMs + Math.ceil(Buffer.byteLength(body) / 128);
    const { status, headers: received, text } = await this.#send(base, target, headers, body, timeoutMs, stop);
    const date = Date.parse(String(received.date ?? ''));
    if (Number.isFinite(date)) this.clockSkewSeconds = Math.round((date - Date.now()) / 1000);
    return readAnswer(status, received, text);
  }

  /**
   * @param {URL} base
   * @param {string} target
   * @param {http.OutgoingHttpHeaders} headers
   * @param {string} body
   * @param {number} timeoutMs
   * @param {AbortSignal} [stop]
   * @returns {Promise<{ status: number, headers: http.IncomingHttpHeaders, text: string }>}
   */
  #send(base, target, headers, body, timeoutMs, stop) {
    return new Promise((resolve, reject) => {
      const secure = base.protocol === 'https:';
      const options = {
        method: 'POST',
        host: base.hostname.replace(/^\[|\]$/g, ''),
        port: base.port || (secure ? 443 : 80),
        path: target,
        headers: { Host: base.host, ...headers },
      };
      const request = secure
        ? https.request({
            ...options,
            agent: false,
            rejectUnauthorized: true,
            ...(this.#ca === undefined ? {} : { ca: [...tls.rootCertificates, this.#ca] }),
          })
        : http.request({ ...options, agent: false });
      /** @param {PanelError} error */
      const fail = (error) => {
        finish();
        reject(error);
        request.destroy();
      };
      const timer = setTimeout(
        () => fail(new PanelError('timeout', `${base.host} did not answer within ${timeoutMs / 1000} s`)),
        timeoutMs,
      );
      const onStop = () => fail(new PanelError('stopped', 'The agent is stopping'));
      const finish = () => {
        clearTimeout(timer);
        stop?.removeEventListener('abort', onStop);
      };
      request.on('error', (error) => fail(new PanelError('network', networkProblem(error, base))));
      if (stop?.aborted) return onStop();
      stop?.addEventListener('abort', onStop);
      request.on('response', (response) => {
        /** @type {Buffer[]} */
        const chunks = [];
        let size = 0;
        response.on('data', (/** @type {Buffer} */ chunk) => {
          size += chunk.length;
          if (size > ANSWER_LIMIT_BYTES)
            fail(new PanelError('size', `${base.host} answered with more than ${ANSWER_LIMIT_BYTES / 1024 / 1024} MB`));
          else chunks.push(chunk);
        });
        response.on('error', (error) => fail(new PanelError('network', networkProblem(error, base))));
        response.on('end', () => {
          finish();
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text: Buffer.concat(chunks).toString('utf8') });
        });
      });
      request.end(body);
    });
  }
}

/**
 * @param {number} status
 * @param {http.IncomingHttpHeaders} headers
 * @param {string} text
 */
function readAnswer(status, headers, text) {
  if (status >= 300 && status < 400) {
    const target = clip(oneLine(headers.location ?? ''), 200);
    throw new PanelError(
      'redirect',
      `The panel redirects (HTTP ${status}) to ${target || 'somewhere'}. Redirects are not followed: put the final address into svc_url.`,
      { status },
    );
  }
  if (status !== 200) {
    const seconds = Number(headers['retry-after']);
    const advice =
      status === 404
        ? 'Is svc_url the address of the panel?'
        : status === 413
          ? 'The report is too large for it.'
          : status === 429
            ? 'It asks to be asked less often.'
            : 'See the log of the panel or of the proxy before it.';
    throw new PanelError('status', `The panel answered HTTP ${status}. ${advice}`, {
      status,
      retryAfterSeconds: Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds, 300) : 0,
    });
  }
  let body;
  try {
    body = asRecord(JSON.parse(text.replace(/^\uFEFF/, '')));
  } catch {
    body = null;
  }
  if (body === null || typeof body.success !== 'boolean') {
    const start = clip(oneLine(text.slice(0, 200)), 80);
    throw new PanelError(
      'format',
      `The answer is not one of /api/node.php: ${JSON.stringify(start)}. Is svc_url the address of the panel?`,
    );
  }
  return new Answer(body);
}

/** @param {Error} error @param {URL} base */
function networkProblem(error, base) {
  const code = codeOf(error);
  const text = `${base.host}: ${error.message || code}`;
  if (code === 'ECONNREFUSED') return `${text}. Nothing listens there: is the panel running, are host and port of svc_url right?`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `${text}. The name cannot be looked up: check svc_url and the DNS of this server.`;
  if (code === 'EPROTO' || code.startsWith('ERR_SSL')) return `${text}. The port does not speak TLS: is it http:// instead of https://?`;
  if (code.startsWith('HPE_')) return `${text}. The port does not speak HTTP: is it https:// instead of http://?`;
  if (/CERT|SIGNATURE|ALTNAME|SELF_SIGNED|ISSUER/.test(code))
    return `${text}. The certificate is not trusted (${code}): use a valid one, or name its authority in ca_file.`;
  return text;
}

// -------------------------------------------------------------------------------------------------------------- state

/**
 * Replaces a file so that a crash at any moment leaves the old or the new content.
 * @param {string} file
 * @param {(handle: fs.FileHandle) => Promise<void>} write
 */
async function replaceFile(file, write) {
  const temporary = `${file}.${process.pid}.tmp`;
  const handle = await fs.open(temporary, 'w', 0o600);
  try {
    await write(handle);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await fs.rename(temporary, file);
  await syncFolder(path.dirname(file));
}

/** A rename is on the disk once its folder is. @param {string} folder */
async function syncFolder(folder) {
  if (process.platform === 'win32') return;
  const handle = await fs.open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** @typedef {{ task_id: string, status: 'success' | 'failed', result: Record<string, unknown>, error: string }} Report */
/** @typedef {{ task_id: string, action: string, payload: Record<string, unknown>, attempts: number }} Task */
/** @typedef {{ cronMinute: number, fullPending: boolean, lastScanAt: number, lastScanMs: number }} Schedule minutes and milliseconds since 1970 */

/** Reports nobody wants for so long are given up. */
const OUTBOX_LIMIT = 200;

/** What outlives a crash: reports not yet taken, tasks under way, when scans ran, the file indexes. */
export class StateStore {
  #sequence = 0;

  /** @param {string} folder */
  constructor(folder) {
    this.folder = folder;
    this.outboxFolder = path.join(folder, 'outbox');
    this.indexFolder = path.join(folder, 'index');
  }

  /** Makes the folders and removes half-written files. @param {string} folder @throws {ConfigError} */
  static async open(folder) {
    const store = new StateStore(folder);
    try {
      for (const part of [store.folder, store.outboxFolder, store.indexFolder]) {
        await fs.mkdir(part, { recursive: true, mode: 0o700 });
        const probe = path.join(part, `probe.${process.pid}.tmp`);
        await fs.writeFile(probe, '');
        await fs.unlink(probe);
      }
    } catch (error) {
      throw new ConfigError([
        `Cannot write into the state folder ${folder} (${codeOf(error) || messageOf(error)}). Set "state_dir" to a folder the user of the agent may write to.`,
      ]);
    }
    return store;
  }

  /** Removes what a crash left half-written; call it under the lock. */
  async sweep() {
    for (const part of [this.folder, this.outboxFolder, this.indexFolder]) {
      for (const name of await fs.readdir(part)) {
        if (name.endsWith('.tmp')) await fs.rm(path.join(part, name), { force: true });
      }
    }
  }

  /** @param {string} name @param {unknown} value */
  async #save(name, value) {
    await replaceFile(path.join(this.folder, name), (handle) => handle.writeFile(JSON.stringify(value)));
  }

  /** @param {string} file @returns {Promise<unknown>} null when missing or damaged */
  async #load(file) {
    try {
      return JSON.parse(await fs.readFile(file, 'utf8'));
    } catch {
      return null;
    }
  }

  /** @returns {Promise<Task[]>} */
  async tasks() {
    const loaded = await this.#load(path.join(this.folder, 'tasks.json'));
    return Array.isArray(loaded) ? loaded.filter((task) => typeof task?.task_id === 'string' && typeof task.action === 'string') : [];
  }

  /** @param {Task[]} tasks */
  saveTasks(tasks) {
    return this.#save('tasks.json', tasks);
  }

  /** @returns {Promise<Schedule>} */
  async schedule() {
    const loaded = asRecord(await this.#load(path.join(this.folder, 'schedule.json'))) ?? {};
    /** @param {string} key */
    const number = (key) => (typeof loaded[key] === 'number' ? loaded[key] : 0);
    return {
      cronMinute: number('cronMinute'),
      fullPending: loaded.fullPending === true,
      lastScanAt: number('lastScanAt'),
      lastScanMs: number('lastScanMs'),
    };
  }

  /** @param {Schedule} schedule */
  saveSchedule(schedule) {
    return this.#save('schedule.json', schedule);
  }

  /** Keeps a report until the panel has taken it. @param {Report} report */
  async addReport(report) {
    const name = `${String(Date.now()).padStart(15, '0')}-${String(this.#sequence++).padStart(6, '0')}.json`;
    await replaceFile(path.join(this.outboxFolder, name), (handle) => handle.writeFile(JSON.stringify(report)));
  }

  /** Names of the reports that wait, oldest first; the newest 200. */
  async reportNames() {
    const names = (await fs.readdir(this.outboxFolder)).filter((name) => name.endsWith('.json')).sort();
    for (const name of names.slice(0, -OUTBOX_LIMIT)) await this.removeReport(name);
    return names.slice(-OUTBOX_LIMIT);
  }

  /** @param {string} name @returns {Promise<Report | null>} null when damaged */
  async report(name) {
    const loaded = asRecord(await this.#load(path.join(this.outboxFolder, name)));
    return loaded !== null && typeof loaded.task_id === 'string' ? /** @type {Report} */ (/** @type {unknown} */ (loaded)) : null;
  }

  /** @param {string} name @param {Report} report */
  replaceReport(name, report) {
    return replaceFile(path.join(this.outboxFolder, name), (handle) => handle.writeFile(JSON.stringify(report)));
  }

  /** @param {string} name */
  removeReport(name) {
    return fs.rm(path.join(this.outboxFolder, name), { force: true });
  }
}

/** Another agent runs with the same state folder. */
export class LockedError extends Error {}

/**
 * Takes the state folder for this process. A lock of a process that is gone (crash, power cut, number used again) is taken over.
 * @param {string} folder
 * @returns {Promise<() => Promise<void>>} gives it back
 * @throws {LockedError}
 */
export async function takeLock(folder) {
  const file = path.join(folder, 'agent.lock');
  const mine = JSON.stringify({ pid: process.pid, started: await processStart(process.pid), token: randomBytes(8).toString('hex') });
  const temporary = `${file}.${process.pid}.${randomBytes(4).toString('hex')}.tmp`;
  await fs.writeFile(temporary, mine, { mode: 0o600 });
  try {
    for (let attempt = 0; attempt < 100; attempt++) {
      // Unlike opening with `wx`, a link shows the lock to others only with its content.
      if (await linkNew(temporary, file)) {
        return async () => {
          if ((await fs.readFile(file, 'utf8').catch(() => '')) === mine) await fs.rm(file, { force: true });
        };
      }
      const seen = await fs.readFile(file, 'utf8').catch(() => null);
      if (seen === null) continue;
      const holder = await lockHolder(seen);
      if (holder !== null)
        throw new LockedError(
          `Another agent (process ${holder}) runs with the state folder ${folder}. Stop it first, or give this one a "state_dir" of its own.`,
        );
      if (!(await removeStale(file, seen, temporary))) await sleep(10);
    }
    throw new LockedError(`Cannot take the lock ${file}: others try at the same time.`);
  } finally {
    await fs.rm(temporary, { force: true });
  }
}

/** @param {string} from @param {string} to @returns {Promise<boolean>} false when `to` is there already */
async function linkNew(from, to) {
  try {
    await fs.link(from, to);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Removes a lock nobody holds any more. Several may find it at once, and by the time a slow one acts, another's fresh lock may stand there:
 * so only who holds the claim on that very content removes it, after looking again.
 * @param {string} file
 * @param {string} seen its content
 * @param {string} mine a file with this process's lock
 * @returns {Promise<boolean>} false: somebody else is at it
 */
async function removeStale(file, seen, mine) {
  const claim = `${file}.${createHash('sha256').update(seen).digest('hex').slice(0, 8)}`;
  if (!(await linkNew(mine, claim))) {
    const claimed = await fs.readFile(claim, 'utf8').catch(() => null);
    if (claimed === null) return true;
    return (await lockHolder(claimed)) === null && removeStale(claim, claimed, mine);
  }
  if ((await fs.readFile(file, 'utf8').catch(() => null)) === seen) await fs.rm(file, { force: true });
  await fs.rm(claim, { force: true });
  return true;
}

/** Number of the living process a lock belongs to, or null. @param {string} content */
async function lockHolder(content) {
  let lock;
  try {
    lock = asRecord(JSON.parse(content));
  } catch {
    return null;
  }
  const pid = lock?.pid;
  if (lock === null || typeof pid !== 'number' || !Number.isInteger(pid) || pid <= 0) return null;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (codeOf(error) === 'ESRCH') return null;
  }
  const started = await processStart(pid);
  return started !== '' && lock.started !== '' && started !== lock.started ? null : pid;
}

/** When a process started, in a form that tells two processes with one number apart; '' where that is not known. @param {number} pid */
async function processStart(pid) {
  try {
    const boot = await fs.readFile('/proc/sys/kernel/random/boot_id', 'utf8');
    const stat = await fs.readFile(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may hold anything; the 20th field behind it is the start time.
    return `${boot.trim()}/${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`;
  } catch {
    return '';
  }
}

// ----------------------------------------------------------------------------------------------------------- keywords

/** Limits of a word list: longer words are dropped, further ones too. */
const KEYWORD_LIMITS = { length: 250, count: 20_000, characters: 400_000 };

/** @type {Uint16Array | undefined} */
let foldTable;

/** Lower case of every UTF-16 unit whose lower case is one unit. */
function caseFolding() {
  if (foldTable === undefined) {
    foldTable = new Uint16Array(65_536);
    for (let unit = 0; unit < 65_536; unit++) {
      const lower = String.fromCharCode(unit).toLowerCase();
      foldTable[unit] = lower.length === 1 ? lower.charCodeAt(0) : unit;
    }
  }
  return foldTable;
}

/**
 * Finds any number of words in one pass, ignoring case (Aho and Corasick 1975): every step is one unit of the text, whatever the
 * number of words. Units no word holds share one class; transitions lie in one array, rows pushed into each other's gaps.
 */
export class KeywordMatcher {
  /** @param {readonly string[]} keywords of at least one unit; equal ones but for case count once */
  constructor(keywords) {
    const fold = caseFolding();
    this.keywords = keywords;
    /** Class of each unit; 0: in no word. */
    this.classes = new Uint16Array(65_536);
    let classCount = 1;
    let states = 1;
    for (const keyword of keywords) {
      states += keyword.length;
      for (let i = 0; i < keyword.length; i++) {
        const unit = fold[keyword.charCodeAt(i)];
        if (this.classes[unit] === 0) this.classes[unit] = classCount++;
      }
    }
    for (let unit = 0; unit < 65_536; unit++) this.classes[unit] = this.classes[fold[unit]];

    // The tree of words: children of a state are a list; only the root has many, and those stand in a table.
    this.root = new Int32Array(classCount);
    const firstChild = new Int32Array(states);
    const nextSibling = new Int32Array(states);
    const classOf = new Uint16Array(states);
    /** Word that ends in a state, plus 1. */
    this.ends = new Int32Array(states);
    let count = 1;
    /** @param {number} state @param {number} unitClass */
    const child = (state, unitClass) => {
      if (state === 0) return this.root[unitClass];
      let next = firstChild[state];
      while (next !== 0 && classOf[next] !== unitClass) next = nextSibling[next];
      return next;
    };
    for (let word = 0; word < keywords.length; word++) {
      let state = 0;
      for (let i = 0; i < keywords[word].length; i++) {
        const unitClass = this.classes[keywords[word].charCodeAt(i)];
        let next = child(state, unitClass);
        if (next === 0) {
          next = count++;
          classOf[next] = unitClass;
          nextSibling[next] = firstChild[state];
          firstChild[state] = next;
          if (state === 0) this.root[unitClass] = next;
        }
        state = next;
      }
      if (state !== 0 && this.ends[state] === 0) this.ends[state] = word + 1;
    }

    // Breadth first: where to go on when no child fits, and the next shorter word that ends in the same place.
    this.fallback = new Int32Array(count);
    this.shorter = new Int32Array(count);
    const queue = new Int32Array(count);
    let tail = 1;
    for (let head = 0; head < tail; head++) {
      const state = queue[head];
      for (let next = firstChild[state]; next !== 0; next = nextSibling[next]) {
        queue[tail++] = next;
        if (state === 0) continue;
        let from = this.fallback[state];
        while (from !== 0 && child(from, classOf[next]) === 0) from = this.fallback[from];
        const target = child(from, classOf[next]);
        this.fallback[next] = target;
        this.shorter[next] = this.ends[target] !== 0 ? target : this.shorter[target];
      }
    }

    // The transitions of all states but the root in one array: state `s` has one for class `c` when `owner[base[s] + c]` is `s`.
    this.base = new Int32Array(count);
    let owner = new Int32Array(count + 2 * classCount);
    let target = new Int32Array(owner.length);
    // The first free place, with room for any class before it; and the first behind all that is taken.
    let lowest = classCount;
    let behind = classCount;
    let roomy = classCount;
    // States with one child fill the gaps the others leave.
    for (const many of [true, false]) {
      for (let state = 1; state < count; state++) {
        const first = firstChild[state];
        if (first === 0 || (nextSibling[first] !== 0) !== many) continue;
        while (lowest < owner.length && owner[lowest] !== 0) lowest++;
        let base = lowest - classOf[first];
        // A row that does not fit after some tries goes where there is more room, at last behind all others: space for a bounded time.
        search: for (let tries = 0; ; tries++, base++) {
          if (tries === 64) base = roomy;
          else if (tries === 256) base = roomy = behind;
          if (base + classCount > owner.length) {
            owner = grown(owner);
            target = grown(target);
          }
          for (let next = first; next !== 0; next = nextSibling[next]) {
            if (owner[base + classOf[next]] !== 0) continue search;
          }
          break;
        }
        this.base[state] = base;
        for (let next = first; next !== 0; next = nextSibling[next]) {
          owner[base + classOf[next]] = state;
          target[base + classOf[next]] = next;
          behind = Math.max(behind, base + classOf[next] + 1);
        }
      }
    }
    // So that no look-up lies outside, whatever the class.
    this.owner = new Int32Array(owner.length + classCount);
    this.owner.set(owner);
    this.target = target;
  }

  /**
   * Searches `text` from `from` to `to`.
   * @param {string} text
   * @param {number} from
   * @param {number} to
   * @param {number} state 0 at the start, else what the call before returned
   * @param {(keyword: number, end: number) => boolean} found index of the word and the place behind it; false ends the search
   * @returns {number} the state at `to`
   */
  search(text, from, to, state, found) {
    const { classes, root, base, owner, target, fallback, ends, shorter } = this;
    for (let i = from; i < to; i++) {
      const unitClass = classes[text.charCodeAt(i)];
      if (unitClass === 0) {
        state = 0;
        continue;
      }
      while (state !== 0 && owner[base[state] + unitClass] !== state) state = fallback[state];
      state = state === 0 ? root[unitClass] : target[base[state] + unitClass];
      if (ends[state] === 0 && shorter[state] === 0) continue;
      for (let end = ends[state] === 0 ? shorter[state] : state; end !== 0; end = shorter[end]) {
        if (!found(ends[end] - 1, i + 1)) return state;
      }
    }
    return state;
  }
}

/** @param {Int32Array} array */
function grown(array) {
  const larger = new Int32Array(array.length * 2);
  larger.set(array);
  return larger;
}

// --------------------------------------------------------------------------------------------------------------- text

/** Units of a report's excerpt. */
const EXCERPT_LENGTH = 200;
/** Units kept on both sides of what is searched, so that an excerpt finds its context across chunks. */
const CONTEXT = EXCERPT_LENGTH;

/** @typedef {{ line: number, keyword: string, excerpt: string }} LineMatch */

/** Searches a text that arrives in parts; holds only the part at hand. */
export class LineSearch {
  #window = '';
  #searched = 0;
  #counted = 0;
  /** Place of the next line break from {@link #counted} on, -1 when the window has none, -2 when not looked for yet. */
  #lineBreak = -2;
  #line = 1;
  #state = 0;
  /** Words already found in the line at hand: each counts once a line. @type {Set<number>} */
  #inLine = new Set();

  /**
   * @param {KeywordMatcher} matcher
   * @param {(match: LineMatch) => boolean} found false ends the search
   */
  constructor(matcher, found) {
    this.matcher = matcher;
    this.found = found;
    this.stopped = false;
  }

  /**
   * The next part.
   * @param {string} part
   * @param {boolean} last
   */
  push(part, last) {
    if (this.stopped) return;
    this.#window += part;
    if (this.#lineBreak === -1) this.#lineBreak = -2;
    const text = this.#window;
    const end = last ? text.length : Math.max(this.#searched, text.length - CONTEXT);
    this.#state = this.matcher.search(text, this.#searched, end, this.#state, (keyword, place) => {
      this.#countLines(place);
      if (this.#inLine.has(keyword)) return true;
      this.#inLine.add(keyword);
      const word = this.matcher.keywords[keyword];
      if (!this.found({ line: this.#line, keyword: word, excerpt: excerptAt(text, place - word.length, place) })) this.stopped = true;
      return !this.stopped;
    });
    this.#searched = end;
    if (last || this.stopped) return;
    const keep = Math.max(0, end - CONTEXT - KEYWORD_LIMITS.length);
    this.#countLines(keep);
    this.#window = text.slice(keep);
    this.#searched -= keep;
    this.#counted -= keep;
    if (this.#lineBreak >= 0) this.#lineBreak -= keep;
  }

  /** Line of a place, counted on from the last one asked for. A line without end is looked through once, not for every word in it. @param {number} place */
  #countLines(place) {
    for (;;) {
      if (this.#lineBreak === -2) this.#lineBreak = this.#window.indexOf('\n', this.#counted);
      if (this.#lineBreak === -1 || this.#lineBreak >= place) break;
      this.#line++;
      this.#counted = this.#lineBreak + 1;
      this.#lineBreak = -2;
      this.#inLine.clear();
    }
    this.#counted = Math.max(this.#counted, place);
  }
}

/**
 * The word with what stands around it in its line, at most 200 units, never half a code point, control characters as spaces.
 * @param {string} text
 * @param {number} start
 * @param {number} end
 */
function excerptAt(text, start, end) {
  const before = text.slice(Math.max(0, start - EXCERPT_LENGTH), start);
  const after = text.slice(end, end + EXCERPT_LENGTH);
  const left = before.slice(Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r')) + 1).trimStart();
  const lineEnd = after.search(/[\r\n]/);
  const right = (lineEnd === -1 ? after : after.slice(0, lineEnd)).trimEnd();
  const room = Math.max(0, EXCERPT_LENGTH - (end - start));
  const half = room >> 1;
  const leftLength = Math.min(left.length, Math.max(half, room - right.length));
  let shown = leftLength === 0 ? '' : left.slice(-leftLength);
  if (shown !== '' && isLowSurrogate(shown.charCodeAt(0))) shown = shown.slice(1);
  return clip((shown + text.slice(start, end) + right).replace(CONTROL_CHARACTERS, ' '), EXCERPT_LENGTH).trim();
}

/**
 * Encodings to read a file in, by its first bytes and, where it is known whole, all of them. Old Chinese sites are GBK; what is not valid
 * UTF-8 is searched as both, because a page may mix them.
 * @param {Buffer} start
 * @returns {'utf-8' | 'utf-16le' | 'utf-16be'}
 */
function encodingOf(start) {
  if (start.length >= 2 && start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  if (start.length >= 2 && start[0] === 0xfe && start[1] === 0xff) return 'utf-16be';
  // Without a mark: half of the bytes of western text and markup in UTF-16 are zero, always the same half.
  const length = Math.min(start.length, 4_096) & ~1;
  let even = 0;
  let odd = 0;
  for (let i = 0; i < length; i += 2) {
    if (start[i] === 0) even++;
    if (start[i + 1] === 0) odd++;
  }
  if (length >= 8 && odd > length * 0.15 && even < odd / 8) return 'utf-16le';
  if (length >= 8 && even > length * 0.15 && odd < even / 8) return 'utf-16be';
  return 'utf-8';
}

/** @param {Buffer} bytes */
function isUtf8(bytes) {
  if (typeof nodeBuffer.isUtf8 === 'function') return nodeBuffer.isUtf8(bytes);
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/**
 * Searches the bytes of a file.
 * @param {KeywordMatcher} matcher
 * @param {() => AsyncIterable<Buffer> | Iterable<Buffer>} parts the bytes from the start, each time it is called; a part must not be changed later
 * @param {number} limit stop after so many matches
 * @returns {Promise<LineMatch[]>} by line
 */
export async function searchParts(matcher, parts, limit) {
  /** @type {LineMatch[]} */
  const matches = [];
  const seen = new Set();
  /** @param {LineMatch} match */
  const found = (match) => {
    const key = `${match.line} ${match.keyword}`;
    if (!seen.has(key)) {
      seen.add(key);
      matches.push(match);
    }
    return matches.length < limit;
  };
  /** @param {string} encoding @param {boolean} fatal */
  const pass = async (encoding, fatal) => {
    const search = new LineSearch(matcher, found);
    const decoder = new TextDecoder(encoding, { fatal });
    for await (const part of parts()) {
      search.push(decoder.decode(part, { stream: true }), false);
      if (search.stopped) return;
    }
    search.push(decoder.decode(), true);
  };

  let encoding = /** @type {string} */ ('utf-8');
  for await (const part of parts()) {
    encoding = encodingOf(part);
    break;
  }
  if (encoding !== 'utf-8') {
    await pass(encoding, false);
    return matches;
  }
  try {
    await pass('utf-8', true);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    matches.length = 0;
    seen.clear();
    await pass('gb18030', false);
    if (matches.length < limit) await pass('utf-8', false);
    matches.sort((a, b) => a.line - b.line);
  }
  return matches;
}

/**
 * Searches a file that is in memory; the usual case, and without a pause.
 * @param {KeywordMatcher} matcher
 * @param {Buffer} bytes
 * @param {number} limit
 * @returns {Promise<LineMatch[]> | LineMatch[]}
 */
export function searchBytes(matcher, bytes, limit) {
  if (encodingOf(bytes) !== 'utf-8' || !isUtf8(bytes)) return searchParts(matcher, () => [bytes], limit);
  /** @type {LineMatch[]} */
  const matches = [];
  new LineSearch(matcher, (match) => matches.push(match) < limit).push(bytes.toString('utf8'), true);
  return matches;
}

// -------------------------------------------------------------------------------------------------------------- files

// Paths are kept as one character a byte ("latin1"): file names of old sites are GBK, and a path that was read as UTF-8 opens nothing.

/** @param {string} bytes */
function toSystemPath(bytes) {
  const buffer = Buffer.from(bytes, 'latin1');
  return isUtf8(buffer) ? buffer.toString('utf8') : buffer;
}

/** A path to show; each name is in an encoding of its own. @param {string} bytes */
function toShownPath(bytes) {
  const whole = toSystemPath(bytes);
  if (typeof whole === 'string') return whole;
  const shown = bytes.split('/').map((name) => toSystemPath(name));
  return shown.map((name) => (typeof name === 'string' ? name : new TextDecoder('gb18030').decode(name))).join('/');
}

/** @param {string} text */
function toBytePath(text) {
  return Buffer.from(text, 'utf8').toString('latin1');
}

/** Deeper folders are left out: nobody's site is, and a loop of mounts would be. */
const DEPTH_LIMIT = 100;

/**
 * @typedef {object} ScanRules
 * @property {Set<string>} suffixes searched, without dot, lower case
 * @property {Set<string>} skippedDirs names, lower case, or paths below the root
 * @property {Set<string>} skippedSuffixes
 */

/**
 * Files below a folder whose suffix is searched, one folder open a level: memory does not grow with the tree. Symbolic links are
 * neither entered nor given.
 * @param {string} root byte path
 * @param {ScanRules} rules
 * @param {(path: string, error: unknown) => void} failed a folder that cannot be read
 * @returns {AsyncGenerator<string>} byte paths
 */
async function* walkFiles(root, rules, failed) {
  /** @type {{ path: string, dir: import('node:fs').Dir }[]} */
  const open = [];
  /** @param {string} folder */
  const enter = async (folder) => {
    try {
      // "buffer" gives names as bytes; the types of Node do not know it here.
      open.push({
        path: folder,
        dir: await fs.opendir(toSystemPath(folder), { encoding: /** @type {BufferEncoding} */ ('buffer'), bufferSize: 256 }),
      });
    } catch (error) {
      failed(folder, error);
    }
  };
  try {
    await enter(root);
    for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
      let entry;
      try {
        entry = await top.dir.read();
      } catch (error) {
        failed(top.path, error);
        entry = null;
      }
      if (entry === null) {
        open.pop();
        await top.dir.close().catch(() => undefined);
        continue;
      }
      const name = /** @type {Buffer} */ (/** @type {unknown} */ (entry.name)).toString('latin1');
      const full = top.path.endsWith(path.sep) ? top.path + name : top.path + path.sep + name;
      if (entry.isDirectory()) {
        const shown = toShownPath(name).toLowerCase();
        const below = toShownPath(full.slice(root.length + 1))
          .split(path.sep)
          .join('/')
          .toLowerCase();
        if (rules.skippedDirs.has(shown) || rules.skippedDirs.has(below)) continue;
        if (open.length >= DEPTH_LIMIT) failed(full, new Error('too deep'));
        else await enter(full);
      } else if (entry.isFile()) {
        const dot = name.lastIndexOf('.');
        const suffix = dot === -1 ? '' : name.slice(dot + 1).toLowerCase();
        if (rules.suffixes.has(suffix) && !rules.skippedSuffixes.has(suffix)) yield full;
      }
    }
  } finally {
    for (const { dir } of open) await dir.close().catch(() => undefined);
  }
}

/** What is known of a file: size, times of change of content and of entry (the latter cannot be set back by its owner), hash or ''. @typedef {[size: number, mtime: number, ctime: number, hash: string]} Known */

/** Files of one root as the last scan saw them; decides what changed. */
export class FileIndex {
  /** @type {Map<string, Known>} */
  entries = new Map();

  /**
   * @param {string} folder
   * @param {string} root byte path
   * @param {string} rules hash of what makes a file's last result worthless: other words find other things
   */
  constructor(folder, root, rules) {
    this.file = path.join(folder, `${createHash('sha256').update(root, 'latin1').digest('hex').slice(0, 32)}.jsonl`);
    this.rules = rules;
  }

  /** @returns {Promise<'loaded' | 'none' | 'rules' | 'damaged'>} why it is empty, if it is */
  async load() {
    const stream = createReadStream(this.file, 'utf8');
    let first = true;
    /** @type {'loaded' | 'none' | 'rules' | 'damaged'} */
    let outcome = 'none';
    let expected = 0;
    try {
      for await (const line of createInterface({ input: stream, crlfDelay: Infinity })) {
        const value = JSON.parse(line);
        if (first) {
          first = false;
          if (value.rules !== this.rules) return 'rules';
          expected = value.files;
          outcome = 'loaded';
        } else {
          const [name, size, mtime, ctime, hash] = value;
          this.entries.set(String(name), [Number(size), Number(mtime), Number(ctime), String(hash)]);
        }
      }
    } catch (error) {
      outcome = codeOf(error) === 'ENOENT' ? 'none' : 'damaged';
    } finally {
      stream.destroy();
    }
    if (outcome === 'loaded' && this.entries.size !== expected) outcome = 'damaged';
    if (outcome !== 'loaded') this.entries.clear();
    return outcome;
  }

  /** Writes it whole, or not at all. */
  async save() {
    await replaceFile(this.file, async (handle) => {
      /** @type {string[]} */
      let lines = [JSON.stringify({ rules: this.rules, files: this.entries.size })];
      for (const [name, known] of this.entries) {
        lines.push(JSON.stringify([name, ...known]));
        if (lines.length >= 2_000) {
          await handle.write(`${lines.join('\n')}\n`);
          lines = [];
        }
      }
      if (lines.length > 0) await handle.write(`${lines.join('\n')}\n`);
    });
  }

  /** Removes all but the newest indexes: the panel may name any number of roots. @param {string} folder @param {number} keep */
  static async prune(folder, keep) {
    const files = await Promise.all(
      (await fs.readdir(folder))
        .filter((name) => name.endsWith('.jsonl'))
        .map(async (name) => ({ name, time: (await fs.stat(path.join(folder, name)).catch(() => ({ mtimeMs: 0 }))).mtimeMs })),
    );
    files.sort((a, b) => b.time - a.time);
    for (const { name } of files.slice(keep)) await fs.rm(path.join(folder, name), { force: true });
  }
}

// --------------------------------------------------------------------------------------------------------------- scan

/** A task that is not done; the text is for the people who look at it in the panel. */
export class TaskRefused extends Error {}

/** The agent is stopping; what was under way is taken up again at the next start. */
class Stopped extends Error {}

/** Larger files are searched in parts and have no hash. */
const HASHED_BELOW = 1024 * 1024;
const PART_BYTES = 512 * 1024;
/** Files read at the same time. */
const THREADS = 32;
const DEFAULT_FILE_SIZE = 5 * 1024 * 1024;
const LARGEST_FILE_SIZE = 50 * 1024 * 1024;
const DEFAULT_MATCHES = 1_000;
/** A scan ends here and says so: its index lives in memory. */
const FILE_LIMIT = 1_000_000;
const KEPT_INDEXES = 50;
const SKIPPED_DIRS = ['.git', 'node_modules', 'vendor', 'runtime', 'cache', 'logs'];
const SKIPPED_SUFFIXES = ['jpg', 'png', 'gif', 'webp', 'mp4', 'zip', 'rar', '7z', 'pdf', 'woff', 'ttf'];

/**
 * @typedef {object} PanelSettings what `get_config` says of scans
 * @property {boolean} enabled
 * @property {string[]} keywords
 * @property {boolean} changedOnly
 * @property {string} root
 * @property {string[]} skippedDirs
 * @property {string[]} skippedSuffixes
 * @property {unknown} maxFileSize
 * @property {unknown} maxMatches
 * @property {boolean} fullEnabled
 * @property {string} fullCron
 */

/** @param {unknown} value @param {boolean} fallback */
function flag(value, fallback) {
  if (value === undefined || value === null || value === '') return fallback;
  return value === true || value === 1 || value === '1' || value === 'true';
}

/** A list as an array or as text with commas or lines. @param {unknown} value @param {string[]} fallback */
function wordList(value, fallback) {
  if (value === undefined || value === null) return fallback;
  const words = Array.isArray(value) ? value.map(String) : String(value).split(/[\n,，;；]/);
  return words.map((word) => word.trim()).filter((word) => word !== '');
}

/** Words as an array, or as text with one a line where `#` begins a comment. @param {unknown} value */
function keywordList(value) {
  if (Array.isArray(value)) return value.map(String);
  return String(value ?? '')
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('#'));
}

/** @param {unknown} value @param {number} fallback @param {number} most */
function bounded(value, fallback, most) {
  const number = Math.floor(Number(value));
  return Number.isFinite(number) && number > 0 ? Math.min(number, most) : fallback;
}

/** @param {unknown} value the `forbidden_scan` of `get_config` @returns {PanelSettings} */
export function readPanelSettings(value) {
  const raw = asRecord(value) ?? {};
  return {
    enabled: flag(raw.enabled, false),
    keywords: keywordList(raw.content),
    changedOnly: flag(raw.scan_changed_only, true),
    root: typeof raw.scan_dir === 'string' ? raw.scan_dir : '',
    skippedDirs: wordList(raw.skip_dirs, SKIPPED_DIRS),
    skippedSuffixes: wordList(raw.skip_exts, SKIPPED_SUFFIXES),
    maxFileSize: raw.max_file_size,
    maxMatches: raw.max_matches,
    fullEnabled: flag(raw.full_scan_enabled, false),
    fullCron: typeof raw.full_scan_cron === 'string' ? raw.full_scan_cron : '',
  };
}

/**
 * @typedef {object} ScanRequest
 * @property {string} site
 * @property {string} root real path
 * @property {string[]} keywords
 * @property {number} dropped words that were not used: too long or too many
 * @property {number} maxFileSize bytes
 * @property {number} maxMatches
 * @property {boolean} changedOnly
 * @property {'full' | 'incremental'} mode
 * @property {string} trigger why the agent began it by itself, or ''
 * @property {ScanRules} rules
 */

/**
 * Checks what a task asks for.
 * @param {Record<string, unknown>} payload
 * @param {{ sitesRoot: string | null, textSuffixes: string[] }} config
 * @param {PanelSettings | null} settings
 * @returns {Promise<ScanRequest>}
 * @throws {TaskRefused}
 */
export async function readScanRequest(payload, config, settings) {
  const root = await realRoot(payload.root, config.sitesRoot);
  const { keywords, dropped } = cleanKeywords(keywordList(payload.keywords));
  if (keywords.length === 0) throw new TaskRefused(`没有可用的违禁词：请填写 1 到 ${KEYWORD_LIMITS.length} 个字符的词`);
  const mode =
    payload.scan_mode === 'full' || payload.scan_mode === 'incremental'
      ? payload.scan_mode
      : flag(payload.scan_changed_only, false)
        ? 'incremental'
        : 'full';
  return {
    site: clip(oneLine(typeof payload.site === 'string' ? payload.site : ''), 250),
    root,
    keywords,
    dropped,
    maxFileSize: bounded(payload.max_file_size, DEFAULT_FILE_SIZE, LARGEST_FILE_SIZE),
    maxMatches: bounded(payload.max_matches, DEFAULT_MATCHES, REPORT_LIMITS.matches),
    changedOnly: mode === 'incremental' && flag(payload.scan_changed_only, true),
    mode,
    trigger: flag(payload.auto_trigger, false) ? clip(oneLine(String(payload.trigger_reason ?? '')), 100) : '',
    rules: {
      suffixes: new Set(config.textSuffixes),
      skippedDirs: new Set(
        wordList(payload.skip_dirs, settings?.skippedDirs ?? SKIPPED_DIRS).map((dir) => dir.toLowerCase().replace(/^\.?\/+|\/+$/g, '')),
      ),
      skippedSuffixes: new Set(wordList(payload.skip_exts, settings?.skippedSuffixes ?? SKIPPED_SUFFIXES).map(bareSuffix)),
    },
  };
}

/** Folders of the system itself: endless, or answers that hang. */
const SYSTEM_FOLDERS = ['/proc', '/sys', '/dev', '/run'];

/**
 * The folder to scan, without symbolic links. Who has the panel must not get the rest of the server with it.
 * @param {unknown} root
 * @param {string | null} sitesRoot
 * @returns {Promise<string>}
 * @throws {TaskRefused}
 */
async function realRoot(root, sitesRoot) {
  if (typeof root !== 'string' || root === '') throw new TaskRefused('请填写扫描目录');
  const shown = clip(oneLine(root), 200);
  if (root.includes('\0') || root.length > 4_096) throw new TaskRefused(`扫描目录无效：${shown}`);
  if (!path.isAbsolute(root)) throw new TaskRefused(`扫描目录必须是绝对路径：${shown}`);
  if (root.split(/[/\\]/).includes('..')) throw new TaskRefused(`扫描目录不能包含 ..：${shown}`);
  let real;
  try {
    real = await fs.realpath(root);
    if (!(await fs.stat(real)).isDirectory()) throw new TaskRefused(`扫描目录不是文件夹：${shown}`);
  } catch (error) {
    if (error instanceof TaskRefused) throw error;
    throw new TaskRefused(codeOf(error) === 'ENOENT' ? `扫描目录不存在：${shown}` : `扫描目录无法读取（${codeOf(error)}）：${shown}`);
  }
  if (real === path.parse(real).root) throw new TaskRefused(`不能扫描整个磁盘：${shown}`);
  if (SYSTEM_FOLDERS.some((folder) => isInside(real, folder))) throw new TaskRefused(`不能扫描系统目录：${shown}`);
  if (sitesRoot !== null) {
    const allowed = await fs.realpath(sitesRoot).catch(() => sitesRoot);
    if (!isInside(real, allowed)) throw new TaskRefused(`扫描目录不在允许的范围内：${shown}（节点配置 sites_root：${sitesRoot}）`);
  }
  return real;
}

/** @param {string} inner @param {string} outer both real paths */
function isInside(inner, outer) {
  const relative = path.relative(outer, inner);
  return relative === '' || (relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative));
}

/** Trimmed, without empty, repeated and overlong ones. @param {string[]} words */
function cleanKeywords(words) {
  /** @type {Map<string, string>} */
  const kept = new Map();
  let dropped = 0;
  let characters = 0;
  for (const word of words) {
    const keyword = word.trim();
    if (keyword === '' || kept.has(keyword.toLowerCase())) continue;
    const fits =
      keyword.length <= KEYWORD_LIMITS.length &&
      kept.size < KEYWORD_LIMITS.count &&
      characters + keyword.length <= KEYWORD_LIMITS.characters &&
      !/[\r\n\0]/.test(keyword);
    if (!fits) dropped++;
    else {
      kept.set(keyword.toLowerCase(), keyword);
      characters += keyword.length;
    }
  }
  return { keywords: [...kept.values()], dropped };
}

/** @param {import('node:fs').Stats} stat @param {string} hash @returns {Known} */
function knownOf(stat, hash) {
  return [stat.size, stat.mtimeMs, stat.ctimeMs, hash];
}

// File descriptors instead of `FileHandle`: small files are read three times as fast. What may wait for a disk stays asynchronous.
const openDescriptor = promisify(open);
const readDescriptor = promisify(read);
const linkStat = promisify(lstat);

/**
 * Opens a file without following a link and without waiting for the other end of a pipe.
 * @param {string} file byte path
 * @returns {Promise<number>} descriptor
 */
function openFile(file) {
  return openDescriptor(toSystemPath(file), fsConstants.O_RDONLY | (fsConstants.O_NOFOLLOW ?? 0) | (fsConstants.O_NONBLOCK ?? 0));
}

/**
 * Whether an open file still is where the walk found it: a folder on the way may have been changed for a link to elsewhere meanwhile.
 * @param {number} descriptor
 * @param {string} file byte path
 */
async function isInPlace(descriptor, file) {
  try {
    const real =
      process.platform === 'linux'
        ? await fs.readlink(`/proc/self/fd/${descriptor}`, 'buffer')
        : await fs.realpath(toSystemPath(file), 'buffer');
    return real.toString('latin1') === file;
  } catch {
    return false;
  }
}

/**
 * @param {number} descriptor
 * @param {number} size
 * @returns {AsyncGenerator<Buffer>}
 */
async function* partsOf(descriptor, size) {
  for (let place = 0; place < size;) {
    const part = Buffer.allocUnsafe(Math.min(PART_BYTES, size - place));
    const { bytesRead } = await readDescriptor(descriptor, part, 0, part.length, place);
    if (bytesRead === 0) return;
    place += bytesRead;
    yield part.subarray(0, bytesRead);
  }
}

/** @typedef {{ site: string, type: 'file', path: string, line: number, keyword: string, excerpt: string }} ScanMatch */
/**
 * @typedef {{ path: string } & (
 *   { kind: 'unchanged', known: Known } | { kind: 'gone' } | { kind: 'large' } | { kind: 'failed', error: unknown } |
 *   { kind: 'small', descriptor: number, known: Known, bytes: Buffer } | { kind: 'parts', descriptor: number, known: Known }
 * )} Candidate
 */

/** One scan of a folder for forbidden words. */
export class ForbiddenScan {
  /** @type {ScanMatch[]} */
  matches = [];
  total = 0;
  scanned = 0;
  unchanged = 0;
  large = 0;
  errors = 0;
  bytes = 0;
  #found = 0;
  #reportBytes = 0;
  /** Why not everything was searched or reported; for the panel. @type {string[]} */
  #notes = [];
  /** @type {Map<string, Known>} */
  #seen = new Map();

  /**
   * @param {ScanRequest} request
   * @param {{ indexFolder: string, log: Log, stop?: AbortSignal, reportLimits?: typeof REPORT_LIMITS }} surroundings
   */
  constructor(request, { indexFolder, log, stop, reportLimits = REPORT_LIMITS }) {
    this.request = request;
    this.root = toBytePath(request.root);
    this.log = log;
    this.stop = stop;
    this.limits = reportLimits;
    this.matcher = new KeywordMatcher(request.keywords);
    const rules = JSON.stringify([[...request.keywords].sort(), [...request.rules.suffixes].sort()]);
    this.index = new FileIndex(indexFolder, this.root, createHash('sha256').update(rules).digest('hex'));
  }

  /**
   * Searches. The index is on the disk only after {@link keepIndex}: first the result, or a crash between the two loses matches.
   * @returns {Promise<Record<string, unknown>>} the result as the panel takes it
   * @throws {Stopped} when the agent stops
   */
  async run() {
    const started = process.hrtime.bigint();
    const loaded = await this.index.load();
    if (loaded === 'damaged') this.log.warning('The file index is damaged and starts anew', { root: this.request.root });
    if (this.request.changedOnly && loaded === 'rules') this.#notes.push('关键词或后缀已变更，已重新扫描全部文件');

    let complete = true;
    /** @type {string[]} */
    let batch = [];
    const walk = walkFiles(this.root, this.request.rules, (folder, error) => this.#fail(folder, error));
    for await (const file of walk) {
      this.total++;
      batch.push(file);
      if (batch.length < THREADS) continue;
      complete = await this.#searchAll(batch);
      batch = [];
      if (!complete) break;
      if (this.total >= FILE_LIMIT) {
        this.#notes.push(`文件超过 ${FILE_LIMIT} 个，其余未扫描`);
        complete = false;
        break;
      }
    }
    if (batch.length > 0) complete = (await this.#searchAll(batch)) && complete;
    // Of what this scan did not reach, the last one's knowledge still holds; of a whole scan, what is not there is gone.
    if (complete) this.index.entries = this.#seen;
    else for (const [file, known] of this.#seen) this.index.entries.set(file, known);

    const seconds = Number(process.hrtime.bigint() - started) / 1e9;
    return { site: this.request.site, summary: this.#summary(seconds), matches: this.matches };
  }

  async keepIndex() {
    await this.index.save();
    await FileIndex.prune(path.dirname(this.index.file), KEPT_INDEXES);
  }

  /** @param {number} seconds */
  #summary(seconds) {
    const { request } = this;
    if (this.#found > this.matches.length) this.#notes.push(`结果过大，只上报 ${this.matches.length} 条，共 ${this.#found} 条`);
    if (request.dropped > 0) this.#notes.push(`${request.dropped} 个违禁词过长或过多，未使用`);
    return {
      scanned_files: this.scanned,
      scanned_rows: 0,
      matches: this.#found,
      finished_at: localTime(new Date()),
      scan_mode: request.mode,
      duration_sec: Math.round(seconds * 100) / 100,
      thread_count: THREADS,
      total_files: this.total,
      error_count: this.errors,
      speed_files_per_sec: Math.round((this.scanned / Math.max(seconds, 0.001)) * 100) / 100,
      unchanged_files: this.unchanged,
      skipped_large_files: this.large,
      scanned_bytes: this.bytes,
      reported_matches: this.matches.length,
      note: this.#notes.join('；'),
      ...(request.trigger === '' ? {} : { auto_trigger: true, trigger_reason: request.trigger }),
    };
  }

  /** @param {string} file @param {unknown} error */
  #fail(file, error) {
    this.errors++;
    if (this.errors <= 20) this.log.warning('Cannot read', { path: toShownPath(file), error: codeOf(error) || messageOf(error) });
  }

  /** Reads some files at once, then searches them in order. @param {string[]} files @returns {Promise<boolean>} false: enough */
  async #searchAll(files) {
    if (this.stop?.aborted) throw new Stopped('stopped');
    const candidates = await Promise.all(files.map((file) => this.#read(file)));
    try {
      for (const candidate of candidates) {
        if (!(await this.#search(candidate))) return false;
      }
      return true;
    } finally {
      for (const candidate of candidates) if ('descriptor' in candidate) closeSync(candidate.descriptor);
    }
  }

  /** @param {string} file @returns {Promise<Candidate>} */
  async #read(file) {
    const known = this.request.changedOnly ? this.index.entries.get(file) : undefined;
    let descriptor = -1;
    try {
      if (known !== undefined) {
        const stat = await linkStat(toSystemPath(file));
        if (known[0] === stat.size && known[1] === stat.mtimeMs && known[2] === stat.ctimeMs)
          return { path: file, kind: 'unchanged', known };
      }
      descriptor = await openFile(file);
      const candidate = await this.#readOpen(file, descriptor, known);
      if (!('descriptor' in candidate)) closeSync(descriptor);
      return candidate;
    } catch (error) {
      if (descriptor !== -1) closeSync(descriptor);
      // Removed, or changed for a link, since the folder was read.
      if (['ENOENT', 'ELOOP', 'ENOTDIR', 'ENXIO'].includes(codeOf(error))) return { path: file, kind: 'gone' };
      return { path: file, kind: 'failed', error };
    }
  }

  /** @param {string} file @param {number} descriptor @param {Known | undefined} known @returns {Promise<Candidate>} */
  async #readOpen(file, descriptor, known) {
    const stat = fstatSync(descriptor);
    if (!stat.isFile()) return { path: file, kind: 'gone' };
    if (stat.size > this.request.maxFileSize) return { path: file, kind: 'large' };
    if (stat.size >= HASHED_BELOW) return { path: file, kind: 'parts', descriptor, known: knownOf(stat, '') };
    const bytes = await readAll(descriptor, stat.size);
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 32);
    const now = knownOf(stat, hash);
    if (known !== undefined && known[0] === stat.size && known[3] === hash) return { path: file, kind: 'unchanged', known: now };
    return { path: file, kind: 'small', descriptor, known: now, bytes };
  }

  /** @param {Candidate} candidate @returns {Promise<boolean>} false: enough */
  async #search(candidate) {
    switch (candidate.kind) {
      case 'gone':
        return true;
      case 'large':
        this.large++;
        return true;
      case 'failed':
        this.#fail(candidate.path, candidate.error);
        return true;
      case 'unchanged':
        this.unchanged++;
        this.#seen.set(candidate.path, candidate.known);
        return true;
    }
    const left = this.request.maxMatches - this.#found;
    const { descriptor, known } = candidate;
    let found;
    try {
      found =
        candidate.kind === 'small'
          ? await searchBytes(this.matcher, candidate.bytes, left)
          : await searchParts(this.matcher, () => partsOf(descriptor, known[0]), left);
    } catch (error) {
      this.#fail(candidate.path, error);
      return true;
    }
    if (found.length > 0 && !(await isInPlace(descriptor, candidate.path))) {
      this.#fail(candidate.path, new Error('moved while it was read'));
      return true;
    }
    this.scanned++;
    this.bytes += known[0];
    this.#seen.set(candidate.path, known);
    for (const match of found) this.#add(candidate.path, match);
    if (this.#found < this.request.maxMatches) return true;
    this.#notes.push(`已达到最多 ${this.request.maxMatches} 条，扫描提前结束`);
    return false;
  }

  /** @param {string} file @param {LineMatch} match */
  #add(file, { line, keyword, excerpt }) {
    this.#found++;
    const shown = toShownPath(file);
    const below = shown
      .slice(this.request.root.length)
      .split(path.sep)
      .filter((part) => part !== '');
    const site = this.request.site || (below.length > 1 ? clip(below[0], 250) : '');
    /** @type {ScanMatch} */
    const match = { site, type: 'file', path: clip(shown, 1_000), line, keyword, excerpt };
    this.#reportBytes += Buffer.byteLength(JSON.stringify(match)) + 1;
    // Some room for the rest of the report.
    if (this.matches.length < this.limits.matches && this.#reportBytes < this.limits.bytes - 16_384) this.matches.push(match);
  }
}

/** @param {number} descriptor @param {number} size */
async function readAll(descriptor, size) {
  const bytes = Buffer.allocUnsafe(size);
  let length = 0;
  while (length < size) {
    const { bytesRead } = await readDescriptor(descriptor, bytes, length, size - length, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return bytes.subarray(0, length);
}

/** `2026-11-21 08:00:00` in the zone of this server. @param {Date} date */
function localTime(date) {
  /** @param {number} value */
  const two = (value) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

// --------------------------------------------------------------------------------------------------------------- cron

/**
 * Reads a cron expression of five fields: lists, ranges, steps, `*`; Sunday is 0 and 7. As usual, when day of month and day of week
 * are both given, either is enough.
 * @param {string} expression
 * @returns {(date: Date) => boolean} whether a minute matches, in the zone of this server
 * @throws {Error} naming the field
 */
export function parseCron(expression) {
  const fields = expression.trim().split(/\s+/);
  if (fields.length !== 5) throw new Error(`"${clip(expression, 60)}" must have five fields: minute, hour, day, month, weekday`);
  /** @type {[string, number, number][]} */
  const ranges = [
    ['minute', 0, 59],
    ['hour', 0, 23],
    ['day', 1, 31],
    ['month', 1, 12],
    ['weekday', 0, 7],
  ];
  const [minutes, hours, days, months, weekdays] = fields.map((field, i) => cronField(field, ...ranges[i]));
  if (weekdays.has(7)) weekdays.add(0);
  const anyDay = fields[2].startsWith('*');
  const anyWeekday = fields[4].startsWith('*');
  return (date) => {
    if (!minutes.has(date.getMinutes()) || !hours.has(date.getHours()) || !months.has(date.getMonth() + 1)) return false;
    const day = days.has(date.getDate());
    const weekday = weekdays.has(date.getDay());
    return anyDay || anyWeekday ? day && weekday : day || weekday;
  };
}

/**
 * @param {string} field
 * @param {string} name
 * @param {number} least
 * @param {number} most
 */
function cronField(field, name, least, most) {
  /** @type {Set<number>} */
  const values = new Set();
  for (const part of field.split(',')) {
    const found = /^(?:\*|(\d{1,2})(?:-(\d{1,2}))?)(?:\/(\d{1,2}))?$/.exec(part);
    if (found === null) throw new Error(`${name} "${clip(part, 20)}" cannot be read`);
    const step = found[3] === undefined ? 1 : Number(found[3]);
    const from = found[1] === undefined ? least : Number(found[1]);
    const to = found[2] !== undefined ? Number(found[2]) : found[1] === undefined || found[3] !== undefined ? most : from;
    if (from < least || to > most || from > to || step === 0)
      throw new Error(`${name} "${clip(part, 20)}" is not within ${least} to ${most}`);
    for (let value = from; value <= to; value += step) values.add(value);
  }
  return values;
}

// -------------------------------------------------------------------------------------------------------------- agent

/**
 * How long to wait after so many failures in a row: doubled each time up to a minute (or the interval), spread by a quarter both
 * ways so that many agents do not come back at once.
 * @param {number} failures from 1
 * @param {number} intervalMs
 * @param {number} [random] 0 to 1
 * @returns {number} milliseconds
 */
export function backoffMs(failures, intervalMs, random = Math.random()) {
  const longest = Math.max(60_000, intervalMs);
  return Math.round(Math.min(longest, intervalMs * 2 ** Math.min(failures - 1, 20)) * (0.75 + random / 2));
}

/** Crashes during one task until it is given up. */
const TASK_ATTEMPTS = 2;
/** Missed full scans are made up for when they are not older. */
const CRON_LOOKBACK_MINUTES = 60;
const LEASE_EVERY_MS = 20_000;
const PULLS_A_ROUND = 20;
const REPORT_REFUSALS = 5;

/** @typedef {{ task: Task } | { mode: 'full' | 'incremental', reason: string }} Job */

/** The loop: heartbeat, settings, reports, tasks; one scan at a time beside it. */
export class Agent {
  /** @type {Job[]} */
  #queue = [];
  /** @type {Job | null} */
  #current = null;
  /** @type {Promise<void> | null} */
  #working = null;
  /** @type {Promise<void> | null} */
  #delivering = null;
  /** @type {Promise<unknown>} */
  #saving = Promise.resolve();
  /** @type {PanelSettings | null} */
  #settings = null;
  /** @type {Schedule} */
  #schedule = { cronMinute: 0, fullPending: false, lastScanAt: 0, lastScanMs: 0 };
  #canExtend = true;
  #skewTold = 0;
  #cronTold = '';
  #ownRefusalTold = '';
  /** @type {Map<string, { failures: number, notBefore: number }>} */
  #attempts = new Map();
  /** @type {Map<string, number>} */
  #refusals = new Map();

  /**
   * @param {{ config: Config, client: PanelClient, store: StateStore, log: Log, stop: AbortSignal, now?: () => number, leaseEveryMs?: number }} parts
   */
  constructor({ config, client, store, log, stop, now = Date.now, leaseEveryMs = LEASE_EVERY_MS }) {
    this.config = config;
    this.client = client;
    this.store = store;
    this.log = log;
    this.stop = stop;
    this.now = now;
    this.leaseEveryMs = leaseEveryMs;
  }

  /** Takes up what a crash interrupted; once, before the first round. */
  async recover() {
    await this.store.sweep();
    this.#schedule = await this.store.schedule();
    const reported = new Set();
    for (const name of await this.store.reportNames()) reported.add((await this.store.report(name))?.task_id);
    for (const task of await this.store.tasks()) {
      if (reported.has(task.task_id)) continue;
      if (task.attempts >= TASK_ATTEMPTS) {
        this.log.error('Given up: the agent was ended during this task each time', { task: task.task_id, attempts: task.attempts });
        await this.store.addReport({
          task_id: task.task_id,
          status: 'failed',
          result: {},
          error: `节点程序在执行任务时中断 ${task.attempts} 次，任务已放弃`,
        });
      } else {
        this.log.warning('Taken up again after an interruption', { task: task.task_id, action: task.action });
        this.#queue.push({ task });
      }
    }
    await this.#saveTasks();
  }

  /** Runs until stopped. */
  async run() {
    const intervalMs = this.config.intervalSeconds * 1000;
    let failures = 0;
    while (!this.stop.aborted) {
      const began = this.now();
      let wait;
      try {
        await this.round();
        if (failures > 0) this.log.info('Connected again', { failures });
        failures = 0;
        wait = Math.max(0, intervalMs - (this.now() - began));
      } catch (error) {
        if (this.stop.aborted) break;
        failures++;
        wait = Math.max(backoffMs(failures, intervalMs), error instanceof PanelError ? error.retryAfterSeconds * 1000 : 0);
        this.log.error(`No heartbeat: ${messageOf(error)}`, { failures, next_try_seconds: Math.round(wait / 1000) });
      }
      await sleep(wait, undefined, { signal: this.stop }).catch(() => undefined);
    }
    await this.finish();
  }

  /** One round. @throws {PanelError} when the heartbeat fails; the rest is tried again by itself */
  async round() {
    await this.#heartbeat();
    this.#startWork();
    await this.#attempt('get_config', () => this.#loadSettings());
    await this.#attempt('report_result', () => this.deliver());
    // The panel's tasks come first: somebody waits for them.
    await this.#attempt('pull_task', () => this.#pull());
    await this.#planScan();
  }

  /** Waits until no task is under way and everything is reported, as far as the panel takes it. */
  async idle() {
    while (this.#working !== null) await this.#working;
    await this.#attempt('report_result', () => this.deliver());
  }

  /** Ends what is under way; it is taken up at the next start and does not count as a crash. */
  async finish() {
    await this.#working;
    for (const job of this.#queue) if ('task' in job) job.task.attempts = Math.max(0, job.task.attempts - 1);
    await this.#saveTasks();
  }

  async #heartbeat() {
    const { config } = this;
    const answer = await this.client.call(
      'heartbeat',
      {
        node_id: config.nodeId,
        node_name: config.nodeName,
        version: AGENT_VERSION,
        capabilities: config.capabilities,
        status: 'online',
        load: Math.round((os.loadavg()[0] ?? 0) * 100) / 100,
      },
      this.stop,
    );
    this.#tellSkew();
    this.#accepted(answer);
  }

  async #loadSettings() {
    const answer = this.#accepted(await this.client.call('get_config', {}, this.stop));
    this.#settings = readPanelSettings(answer.field('forbidden_scan'));
  }

  /** @param {Answer} answer @returns {Answer} */
  #accepted(answer) {
    if (answer.success) return answer;
    throw new PanelError('status', refusalText(answer.message, this.client.clockSkewSeconds));
  }

  #tellSkew() {
    const skew = this.client.clockSkewSeconds ?? 0;
    if (Math.abs(skew) < 60 || this.now() - this.#skewTold < 3_600_000) return;
    this.#skewTold = this.now();
    const text = skewText(skew);
    if (Math.abs(skew) > SIGNATURE_WINDOW_SECONDS) this.log.error(text);
    else this.log.warning(text);
  }

  /** A part of a round that may fail without the others; waits longer each time. @param {string} name @param {() => Promise<void>} run */
  async #attempt(name, run) {
    const state = this.#attempts.get(name) ?? { failures: 0, notBefore: 0 };
    if (this.now() < state.notBefore) return;
    this.#attempts.set(name, state);
    try {
      await run();
      state.failures = 0;
      state.notBefore = 0;
    } catch (error) {
      if (this.stop.aborted) return;
      state.failures++;
      const wait = Math.max(
        backoffMs(state.failures, this.config.intervalSeconds * 1000),
        error instanceof PanelError ? error.retryAfterSeconds * 1000 : 0,
      );
      state.notBefore = this.now() + wait;
      this.log.warning(`${name}: ${messageOf(error)}`, { failures: state.failures, next_try_seconds: Math.round(wait / 1000) });
    }
  }

  /** Takes tasks while there is one free place in the queue; short ones are done at once. */
  async #pull() {
    if (!this.config.capabilities.includes('task')) return;
    for (let pulls = 0; pulls < PULLS_A_ROUND && this.#queue.length === 0 && !this.stop.aborted; pulls++) {
      const answer = this.#accepted(await this.client.call('pull_task', {}, this.stop));
      const raw = asRecord(answer.field('task'));
      if (raw === null) return;
      const task = {
        task_id: String(raw.task_id ?? ''),
        action: String(raw.action ?? ''),
        payload: asRecord(raw.payload) ?? {},
        attempts: 0,
      };
      if (task.task_id === '') {
        this.log.warning('The panel sent a task without a number');
        return;
      }
      if (this.#tasks().some((known) => known.task_id === task.task_id)) {
        this.log.warning('The panel sent a task again that is under way', { task: task.task_id });
        return;
      }
      this.log.info('Task', { task: task.task_id, action: task.action });
      if (task.action === 'forbidden_scan') {
        this.#queue.push({ task });
        await this.#saveTasks();
        this.#startWork();
      } else {
        await this.#report(await this.#runTask(task));
      }
    }
  }

  /** @returns {Task[]} */
  #tasks() {
    return [this.#current, ...this.#queue].flatMap((job) => (job !== null && 'task' in job ? [job.task] : []));
  }

  /** One after another: two writers of one file would take each other's half-written one. */
  #saveTasks() {
    const saved = this.#saving.then(() => this.store.saveTasks(this.#tasks()));
    this.#saving = saved.catch(() => undefined);
    return saved;
  }

  #startWork() {
    if (this.#working !== null || this.#queue.length === 0 || this.stop.aborted) return;
    this.#working = this.#work().finally(() => {
      this.#working = null;
    });
  }

  async #work() {
    const leases = setInterval(() => void this.#extendLeases(), this.leaseEveryMs);
    try {
      for (let job = this.#queue.shift(); job !== undefined; job = this.#queue.shift()) {
        this.#current = job;
        try {
          if ('task' in job) await this.#workTask(job.task);
          else await this.#workOwn(job);
        } catch (error) {
          if (!(error instanceof Stopped)) throw error;
          if ('task' in job) this.#queue.unshift(job);
          this.#current = null;
          return;
        }
        this.#current = null;
        await this.#saveTasks();
      }
    } catch (error) {
      // The state folder is full or gone: nothing can be kept, so nothing is taken either until it can.
      this.log.error(`Cannot go on: ${messageOf(error)}`, { code: codeOf(error) });
      this.#current = null;
    } finally {
      clearInterval(leases);
    }
  }

  /** @param {Task} task */
  async #workTask(task) {
    task.attempts++;
    await this.#saveTasks();
    await this.#report(await this.#runTask(task));
  }

  /** @param {Task} task @returns {Promise<Report & { kept?: () => Promise<void> }>} */
  async #runTask(task) {
    const base = { task_id: task.task_id, error: '' };
    try {
      switch (task.action) {
        case 'ping':
          return { ...base, status: 'success', result: { message: 'pong', time: localTime(new Date(this.now())) } };
        case 'forbidden_scan': {
          if (!this.config.capabilities.includes('forbidden_scan')) throw new TaskRefused('该节点的配置未启用违禁词扫描（capabilities）');
          const { result, kept } = await this.#scan(task.payload);
          return { ...base, status: 'success', result, kept };
        }
        default:
          throw new TaskRefused(`不支持的任务类型：${clip(oneLine(task.action), 100)}`);
      }
    } catch (error) {
      if (error instanceof Stopped) throw error;
      this.log.warning(`Task failed: ${messageOf(error)}`, { task: task.task_id, action: task.action });
      return {
        ...base,
        status: 'failed',
        result: {},
        error: error instanceof TaskRefused ? error.message : `扫描失败：${clip(oneLine(messageOf(error)), 300)}`,
      };
    }
  }

  /** @param {Record<string, unknown>} payload */
  async #scan(payload) {
    const request = await readScanRequest(payload, this.config, this.#settings);
    this.log.info('Scan begins', {
      root: request.root,
      mode: request.mode,
      keywords: request.keywords.length,
      trigger: request.trigger || undefined,
    });
    const scan = new ForbiddenScan(request, { indexFolder: this.store.indexFolder, log: this.log, stop: this.stop });
    const result = await scan.run();
    this.log.info('Scan ends', {
      root: request.root,
      files: scan.total,
      scanned: scan.scanned,
      matches: scan.matches.length,
      errors: scan.errors,
    });
    return { result, kept: () => scan.keepIndex() };
  }

  /** @param {{ mode: 'full' | 'incremental', reason: string }} job */
  async #workOwn({ mode, reason }) {
    const settings = this.#settings;
    if (settings === null) return;
    const began = this.now();
    const task_id = `scan_${mode}_${Math.floor(began / 1000)}`;
    try {
      const { result, kept } = await this.#scan({
        root: settings.root,
        keywords: settings.keywords,
        scan_mode: mode,
        scan_changed_only: settings.changedOnly,
        max_file_size: settings.maxFileSize,
        max_matches: settings.maxMatches,
        auto_trigger: true,
        trigger_reason: reason,
      });
      this.#ownRefusalTold = '';
      await this.#report({ task_id, status: 'success', result, error: '', kept });
    } catch (error) {
      if (error instanceof Stopped) throw error;
      const text = messageOf(error);
      this.log.warning(`Own scan failed: ${text}`, { mode });
      // The same mistake in the settings is told once, not every few minutes.
      if (this.#ownRefusalTold !== text) await this.#report({ task_id, status: 'failed', result: {}, error: text });
      this.#ownRefusalTold = text;
    }
    this.#schedule.lastScanAt = this.now();
    this.#schedule.lastScanMs = this.now() - began;
    if (mode === 'full') this.#schedule.fullPending = false;
    await this.store.saveSchedule(this.#schedule);
  }

  /** Queues a scan of its own when one is due: full when the cron expression matched, else incremental now and then. */
  async #planScan() {
    const settings = this.#settings;
    const minute = Math.floor(this.now() / 60_000);
    if (settings === null) return;
    const enabled = settings.enabled && this.config.capabilities.includes('forbidden_scan');
    const last = this.#schedule.cronMinute;
    // A clock that is set back a little does not repeat a match; one that was far ahead does not put off scans for ever.
    if (minute > last || minute < last - CRON_LOOKBACK_MINUTES) {
      const since = Math.max(last === 0 ? minute - 1 : last, minute - CRON_LOOKBACK_MINUTES);
      if (!enabled || !settings.fullEnabled) this.#schedule.fullPending = false;
      else if (this.#cronMatched(settings.fullCron, since, minute)) this.#schedule.fullPending = true;
      this.#schedule.cronMinute = minute;
      await this.store.saveSchedule(this.#schedule);
    }
    if (!enabled || this.#working !== null || this.#queue.length > 0) return;
    // A scan that takes long makes room for the sites: at most a fifth of the time goes into scanning.
    const spacing = Math.max(this.config.scanIntervalSeconds * 1000, this.#schedule.lastScanMs * 5);
    if (this.#schedule.fullPending) this.#queue.push({ mode: 'full', reason: 'cron' });
    else if (Math.abs(this.now() - this.#schedule.lastScanAt) >= spacing) this.#queue.push({ mode: 'incremental', reason: 'interval' });
    this.#startWork();
  }

  /** @param {string} expression @param {number} since minute already looked at @param {number} until */
  #cronMatched(expression, since, until) {
    let matches;
    try {
      matches = parseCron(expression);
    } catch (error) {
      if (this.#cronTold !== expression)
        this.log.warning(`No full scans: the cron expression of the panel cannot be read. ${messageOf(error)}`);
      this.#cronTold = expression;
      return false;
    }
    for (let minute = since + 1; minute <= until; minute++) if (matches(new Date(minute * 60_000))) return true;
    return false;
  }

  /** @param {Report & { kept?: () => Promise<void> }} report `kept` runs once the report is on the disk */
  async #report({ kept, ...report }) {
    await this.store.addReport(report);
    await kept?.().catch((error) => this.log.warning(`The file index cannot be written: ${messageOf(error)}`));
    await this.#attempt('report_result', () => this.deliver());
  }

  /** Sends the reports that wait, oldest first. @throws {PanelError} of the first that was not taken, after all were tried */
  deliver() {
    this.#delivering ??= this.#deliverAll().finally(() => {
      this.#delivering = null;
    });
    return this.#delivering;
  }

  async #deliverAll() {
    /** @type {unknown} */
    let problem;
    for (const name of await this.store.reportNames()) {
      const report = await this.store.report(name);
      if (report === null) {
        this.log.error('A report is damaged and given up', { file: name });
        await this.store.removeReport(name);
        continue;
      }
      try {
        await this.#deliverOne(name, report);
      } catch (error) {
        // What the panel chokes on must not hold up the others; what it does not even get must.
        if (!(error instanceof PanelError) || (error.kind !== 'status' && error.kind !== 'format')) throw error;
        problem ??= error;
      }
    }
    if (problem !== undefined) throw problem;
  }

  /** @param {string} name @param {Report} report */
  async #deliverOne(name, report) {
    let answer;
    try {
      answer = await this.client.call('report_result', report, this.stop);
    } catch (error) {
      if (error instanceof PanelError && error.status === 413 && (await this.#shorten(name, report))) return;
      throw error;
    }
    if (answer.success) {
      await this.store.removeReport(name);
      this.log.info('Reported', { task: report.task_id, status: report.status });
      return;
    }
    if (REFUSAL_HINTS.has(answer.message)) throw new PanelError('network', refusalText(answer.message, this.client.clockSkewSeconds));
    const refusals = (this.#refusals.get(name) ?? 0) + 1;
    this.#refusals.set(name, refusals);
    if (answer.message === '任务不存在' || answer.message === '缺少任务ID' || refusals >= REPORT_REFUSALS) {
      this.log.error(`The panel does not take a report, it is given up: ${answer.message}`, { task: report.task_id });
      await this.store.removeReport(name);
      this.#refusals.delete(name);
      return;
    }
    throw new PanelError('status', refusalText(answer.message, this.client.clockSkewSeconds));
  }

  /** Half as many matches, for a panel or proxy that takes less. @param {string} name @param {Report} report @returns {Promise<boolean>} */
  async #shorten(name, report) {
    const matches = report.result.matches;
    if (!Array.isArray(matches) || matches.length === 0) return false;
    const kept = matches.slice(0, matches.length >> 1);
    const summary = asRecord(report.result.summary) ?? {};
    const shorter = {
      ...report,
      result: {
        ...report.result,
        matches: kept,
        summary: { ...summary, reported_matches: kept.length, note: `结果过大，只上报 ${kept.length} 条` },
      },
    };
    this.log.warning('The report is too large for the panel and is cut', { task: report.task_id, matches: kept.length });
    await this.store.replaceReport(name, shorter);
    await this.#deliverOne(name, shorter);
    return true;
  }

  /** Tells the panel that tasks are still worked on, so that it does not give them to somebody else. */
  async #extendLeases() {
    if (!this.#canExtend) return;
    for (const { task_id } of this.#tasks()) {
      try {
        const answer = await this.client.call('extend_lease', { task_id }, this.stop);
        if (answer.success) continue;
        if (answer.message.includes('unknown action')) {
          this.#canExtend = false;
          return;
        }
        this.log.warning(`The panel does not extend the lease: ${answer.message}`, { task: task_id });
      } catch (error) {
        if (!this.stop.aborted) this.log.warning(`extend_lease: ${messageOf(error)}`, { task: task_id });
      }
    }
  }
}

/** @param {number} skew seconds */
function skewText(skew) {
  return `The clock of this server is ${Math.abs(skew)} s ${skew > 0 ? 'behind' : 'ahead of'} the panel's; requests further apart than ${SIGNATURE_WINDOW_SECONDS} s are refused. Set it, such as with: timedatectl set-ntp true`;
}

/** @param {string} message @param {number | null} skew */
function refusalText(message, skew) {
  const hint = REFUSAL_HINTS.get(message);
  const clock = skew !== null && Math.abs(skew) > SIGNATURE_WINDOW_SECONDS ? ` ${skewText(skew)}` : '';
  return `The panel refuses: ${clip(oneLine(message), 200) || 'without a reason'}${hint === undefined ? '' : ` (${hint})`}.${clock}`;
}

// ------------------------------------------------------------------------------------------------------- command line

const HELP = `svc-agent ${AGENT_VERSION}: works for the hosting panel on this server.

  node svc-agent.mjs --config agent.json

  --config FILE   the config the panel showed when the node was added (default: agent.json beside this file)
  --check         looks at config, folders and connection, says what is wrong, changes nothing
  --once          one round: heartbeat, tasks, reports; then ends
  --version       prints the version
  --help          prints this

Exit codes: 0 done, 1 failed, 2 the config or the command line is wrong.
`;

/**
 * The program.
 * @param {string[]} args
 * @param {{ write?: (text: string) => void, stop?: AbortController }} [surroundings]
 * @returns {Promise<number>} exit code
 */
export async function main(args, { write = (text) => void process.stdout.write(text), stop = new AbortController() } = {}) {
  let values;
  try {
    ({ values } = parseArgs({
      args,
      options: {
        config: { type: 'string' },
        check: { type: 'boolean' },
        once: { type: 'boolean' },
        version: { type: 'boolean' },
        help: { type: 'boolean' },
      },
    }));
  } catch (error) {
    write(`${messageOf(error)}\n\n${HELP}`);
    return 2;
  }
  if (values.help || values.version) {
    write(values.help ? HELP : `${AGENT_VERSION}\n`);
    return 0;
  }
  const file = values.config ?? path.join(path.dirname(process.argv[1] ?? '.'), 'agent.json');
  try {
    const { config, warnings } = await loadConfig(file);
    const client = new PanelClient(config, config.caFile === null ? {} : { ca: await fs.readFile(config.caFile, 'utf8') });
    if (values.check) return await check(config, warnings, client, write);
    return await start(config, warnings, client, { once: values.once === true, write, stop });
  } catch (error) {
    if (error instanceof ConfigError || error instanceof LockedError) {
      write(`${error.message}\n`);
      return error instanceof ConfigError ? 2 : 1;
    }
    throw error;
  }
}

/**
 * @param {Config} config
 * @param {string[]} warnings
 * @param {PanelClient} client
 * @param {{ once: boolean, write: (text: string) => void, stop: AbortController }} surroundings
 */
async function start(config, warnings, client, { once, write, stop }) {
  const log = new Log(
    config.logLevel,
    [config.platformSecret, config.nodeSecret, signingKey(config.platformSecret, config.nodeSecret)],
    write,
  );
  for (const warning of warnings) log.warning(warning);
  const store = await StateStore.open(config.stateDir);
  const unlock = await takeLock(config.stateDir);
  const onSignal = (/** @type {NodeJS.Signals} */ signal) => {
    log.info('Stopping', { signal });
    stop.abort();
  };
  for (const signal of /** @type {const} */ (['SIGTERM', 'SIGINT', 'SIGHUP'])) process.on(signal, onSignal);
  try {
    log.info('Started', {
      version: AGENT_VERSION,
      node: config.nodeId,
      panel: config.svcUrl.href,
      interval_seconds: config.intervalSeconds,
      pid: process.pid,
    });
    const agent = new Agent({ config, client, store, log, stop: stop.signal });
    await agent.recover();
    if (!once) {
      await agent.run();
      return 0;
    }
    try {
      await agent.round();
      await agent.idle();
      return 0;
    } catch (error) {
      log.error(`No heartbeat: ${messageOf(error)}`);
      return 1;
    } finally {
      await agent.finish();
    }
  } finally {
    for (const signal of /** @type {const} */ (['SIGTERM', 'SIGINT', 'SIGHUP'])) process.off(signal, onSignal);
    await unlock();
    log.info('Ended');
  }
}

/**
 * Looks at everything a running agent needs; signs one `get_config`, which changes nothing in the panel.
 * @param {Config} config
 * @param {string[]} warnings
 * @param {PanelClient} client
 * @param {(text: string) => void} write
 */
async function check(config, warnings, client, write) {
  let failed = false;
  /** @param {'ok' | 'WARN' | 'FAIL'} mark @param {string} text */
  const tell = (mark, text) => {
    failed ||= mark === 'FAIL';
    write(`${mark.padEnd(5)} ${text}\n`);
  };
  tell('ok', `config: node ${config.nodeId}, panel ${config.svcUrl.href}, every ${config.intervalSeconds} s`);
  for (const warning of warnings) tell('WARN', warning);
  try {
    await StateStore.open(config.stateDir);
    tell('ok', `state folder ${config.stateDir}`);
  } catch (error) {
    tell('FAIL', messageOf(error));
  }
  if (config.sitesRoot !== null) {
    try {
      await (await fs.opendir(config.sitesRoot)).close();
      tell('ok', `sites root ${config.sitesRoot}`);
    } catch (error) {
      tell(
        'FAIL',
        `"sites_root": cannot read ${config.sitesRoot} (${codeOf(error)}). Give the folder the sites lie in, and run the agent as a user who may read it.`,
      );
    }
  }
  try {
    const answer = await client.call('get_config', {});
    if (answer.success) tell('ok', 'connection: the panel knows this node and its signature');
    else tell('FAIL', refusalText(answer.message, client.clockSkewSeconds));
  } catch (error) {
    tell('FAIL', messageOf(error));
  }
  const skew = client.clockSkewSeconds;
  if (skew !== null && Math.abs(skew) >= 60) tell(Math.abs(skew) > SIGNATURE_WINDOW_SECONDS ? 'FAIL' : 'WARN', skewText(skew));
  return failed ? 1 : 0;
}

/** Whether this file was started, and not imported by a test; a link to it counts. */
function isStarted() {
  try {
    return process.argv[1] !== undefined && import.meta.url === pathToFileURL(realpathSync(process.argv[1])).href;
  } catch {
    return false;
  }
}

if (isStarted()) {
  process.on('unhandledRejection', (error) => {
    process.stderr.write(
      `${new Date().toISOString()} ERROR ${oneLine(error instanceof Error ? (error.stack ?? error.message) : String(error))}\n`,
    );
    process.exit(1);
  });
  process.exitCode = await main(process.argv.slice(2));
}
