import { LOG_LEVELS, type LogLevel } from '../../src/agents/wire/actions.js';
import { clip, oneLine } from './text.js';

type Fields = Record<string, string | number | boolean | undefined>;

/** Writes one line per event: time, level, text, `name=value`. The given secrets are masked. */
export class Log {
  private readonly secrets: readonly string[];

  /** @param level minimum level to write; may be changed later */
  constructor(
    public level: LogLevel,
    secrets: readonly string[] = [],
    private readonly write: (line: string) => void = (line) => void process.stdout.write(line),
  ) {
    // Masked verbatim and in the escaped form of quoted fields.
    this.secrets = secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]).filter((secret) => secret !== '');
  }

  debug(text: string, fields?: Fields): void {
    this.line('DEBUG', text, fields);
  }

  info(text: string, fields?: Fields): void {
    this.line('INFO', text, fields);
  }

  warning(text: string, fields?: Fields): void {
    this.line('WARNING', text, fields);
  }

  error(text: string, fields?: Fields): void {
    this.line('ERROR', text, fields);
  }

  private line(level: LogLevel, text: string, fields: Fields = {}) {
    if (LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(this.level)) return;
    let line = text;
    for (const [name, value] of Object.entries(fields)) {
      if (value !== undefined) line += ` ${name}=${typeof value === 'string' ? JSON.stringify(value) : value}`;
    }
    for (const secret of this.secrets) line = line.replaceAll(secret, '***');
    this.write(`${new Date().toISOString()} ${level} ${clip(oneLine(line), 2_000)}\n`);
  }
}
