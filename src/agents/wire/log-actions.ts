import { asRoot } from './action.js';
import { bytes, time } from './action-values.js';
import { fields, list, oneOf, text, whole, maybe } from './shape.js';

/** Levels of an agent's log, the least first. */
export const LOG_LEVELS = ['DEBUG', 'INFO', 'WARNING', 'ERROR'] as const;
/** One of them. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Bytes of a log that are asked for at once: at least, at most, and where nobody says. */
export const LOG_PART = { least: 1_000, most: 500_000, usual: 50_000 } as const;
/** Longest text that is looked for in a log, in characters. */
export const LOG_KEYWORD = 200;

const level = oneOf(...LOG_LEVELS);
const lineCount = whole(0, 2 ** 31);
/** Name of a file of the agent's log: never a path. */
const file = text(40, /^agent(?:\.\d)?\.log$/);

/** The agent's own log. Names of files are those `agentlog.files` lists; any other is `not_found`. Secrets are never in it. */
export const LOG_ACTIONS = {
  /** Newest first, with how many lines of each level they have. */
  'agentlog.files': asRoot({
    of: 'server',
    result: {
      /** What is less is not written. */
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
   * Whole lines of a file, at most `limit` bytes of those that have `keyword` and are of `level` or more. `offset` is counted in these
   * lines; null: the last of them. Answers where they begin and how many bytes there are.
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
  /** Until the agent is started again: then it is that of its config. */
  'agentlog.level': asRoot({ of: 'server', args: { level } }),
} as const;
