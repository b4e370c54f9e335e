import { CORE_OWNER } from './core-owner.js';
import { destination, pino, symbols, type Logger as PinoLogger } from 'pino';

import { LogThrottle, type LogVolume } from './log-throttle.js';

/** Fields whose values are redacted in the log, up to three levels deep in a logged object. */
const SECRET_FIELDS = [
  'pass',
  'password',
  'pwd',
  'ypass',
  'hfmy',
  'xpass',
  'password_hash',
  'passwordHash',
  'secret',
  'token',
  'cookie',
  'authorization',
  'set-cookie',
  'svc_key',
  'svc_keye',
  'ktmy',
  'qmk',
  'btmy',
  'node_secret',
  'platform_secret',
  'secretAccessKey',
  'accessKeyId',
];

/** Allowed values of `LOG_LEVEL`, in any case. */
export const LOG_LEVELS: readonly string[] = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

/** Falls back to a default, because the configuration, which rejects invalid levels, needs a log to report that. */
function levelOf(given: string | undefined): string {
  const level = given?.trim().toLowerCase() ?? '';
  return LOG_LEVELS.includes(level) ? level : process.env.VITEST ? 'silent' : 'info';
}

/** A structured logger: `log.info({ field }, 'text')`. */
export type Logger = PinoLogger;

const throttle = new LogThrottle((owner, lines) =>
  loggerFor('plugins').warn({ lines, leftOutOf: owner }, `${lines} lines of plugin ${owner} were dropped`),
);

/** Returns the plugin that a line was logged by or is about: its field `plugin` or `owner`. */
function ownerOf(fields: unknown): string | null {
  const { plugin, owner } = (fields ?? {}) as { plugin?: unknown; owner?: unknown };
  const name = plugin ?? owner;
  return typeof name === 'string' && name !== CORE_OWNER ? name : null;
}

/** Standard output without the lines that exceed a plugin's limit. pino passes the fields of each line along with it. */
class ThrottledOutput {
  readonly [symbols.needsMetadataGsym] = true;
  lastObj: unknown = null;
  private readonly out = destination(1);

  write(line: string): void {
    const owner = ownerOf(this.lastObj);
    if (owner === null || throttle.admits(owner, Buffer.byteLength(line))) this.out.write(line);
  }
}

/** Returns the lines and bytes logged by or about a plugin since the process started. */
export function logVolume(owner: string): LogVolume {
  return throttle.volume(owner);
}

/**
 * The process's root logger: JSON lines on standard output, level from `LOG_LEVEL` (`info`; `silent` under test).
 * Secrets are replaced by `[redacted]`. Lines with a field `plugin` or `owner` are rate-limited: see {@link LogThrottle}.
 */
export const rootLogger: Logger = pino(
  {
    level: levelOf(process.env.LOG_LEVEL),
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: SECRET_FIELDS.flatMap((field) => {
        const name = /^[a-z_]\w*$/i.test(field) ? field : `["${field}"]`;
        const dotted = name.startsWith('[') ? name : `.${name}`;
        return [name, `*${dotted}`, `*.*${dotted}`];
      }),
      censor: '[redacted]',
    },
  },
  new ThrottledOutput(),
);

/** Returns a logger that adds the feature's name to each line. */
export function loggerFor(feature: string): Logger {
  return rootLogger.child({ feature });
}
