import { asRoot } from './action.js';
import { bytes, time } from './action-values.js';
import { fields, list, oneOf, text, whole, maybe } from './shape.js';

/** Log levels of an agent, lowest first. */
export const LOG_LEVELS = ['DEBUG', 'INFO', 'WARNING', 'ERROR'] as const;
/** A log level. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Bytes of a log per request: minimum, maximum and default. */
export const LOG_PART = { least: 1_000, most: 500_000, default: 50_000 } as const;
/** Maximum length of a search text in a log, in characters. */
export const LOG_KEYWORD = 200;

const level = oneOf(...LOG_LEVELS);
const lineCount = whole(0, 2 ** 31);
/** Name of a log file; never a path. */
const file = text(40, /^agent(?:\.\d)?\.log$/);

/** Actions on the agent's own log. File names are those of `agentlog.files`; others are `not_found`. Logs contain no secrets. */
export const LOG_ACTIONS = {
  /** Lists the files, newest first, with the number of lines per level. */
  'agentlog.files': asRoot({
    of: 'server',
    result: {
      /** Minimum level that is logged. */
      level,
      files: list(
        fields({
          name: file,
          bytes,
          changedAt: time,
          lines: fields({ DEBUG: lineCount, INFO: lineCount, WARNING: lineCount, ERROR: lineCount }),
        }),
        10,
      ),
    },
  }),
  /**
   * Returns complete lines of a file that contain `keyword` and have at least `level`, up to `limit` bytes. `offset` counts within the
   * matching lines; null returns the last ones. The result contains the offset and total size.
   */
  'agentlog.read': asRoot({
    of: 'server',
    args: {
      file,
      offset: maybe(bytes),
      limit: whole(LOG_PART.least, LOG_PART.most),
      keyword: text(LOG_KEYWORD),
      level: maybe(level),
    },
    body: { to: 'panel', most: LOG_PART.most },
    result: { offset: bytes, size: bytes },
  }),
  'agentlog.clear': asRoot({ of: 'server', args: { file } }),
  /** Valid until the agent restarts, which restores the level of its config. */
  'agentlog.level': asRoot({ of: 'server', args: { level } }),
} as const;
