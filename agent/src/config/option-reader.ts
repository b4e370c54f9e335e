import path from 'node:path';

/** Reads options of a config by their kinds, and notes what is wrong with them. */
export class OptionReader {
  /**
   * @param raw the config as it is written
   * @param folder where relative paths start
   * @param problems where what is wrong goes, in words for who writes the config
   */
  constructor(
    private readonly raw: Readonly<Record<string, unknown>>,
    private readonly folder: string,
    private readonly problems: string[],
  ) {}

  /** A text that must be there; empty where it is not. */
  required(key: string, advice: string): string {
    const value = this.raw[key];
    if (typeof value === 'string' && value.trim() !== '') return value.trim();
    this.problems.push(`"${key}" is missing or not a text. ${advice}`);
    return '';
  }

  /** A whole number of seconds within bounds; `fallback` where none is given, or it is wrong. */
  seconds(key: string, fallback: number, least: number, most: number): number {
    const given = this.raw[key];
    if (given === undefined) return fallback;
    const value = Number(given);
    if (given !== '' && given !== null && Number.isInteger(value) && value >= least && value <= most) return value;
    this.problems.push(`"${key}" must be a whole number of seconds from ${least} to ${most}.`);
    return fallback;
  }

  /** An absolute path; null where nothing is given. */
  optionalPath(key: string, advice: string): string | null {
    const value = this.raw[key];
    if (value === undefined || value === null || value === '') return null;
    if (typeof value === 'string' && !value.includes('\0')) return path.resolve(this.folder, value);
    this.problems.push(`"${key}" must be a path. ${advice}`);
    return null;
  }

  /** A list of texts, trimmed; `fallback` where none is given, or it is wrong. */
  words(key: string, fallback: string[]): string[] {
    const value = this.raw[key];
    if (value === undefined) return fallback;
    if (Array.isArray(value) && value.every((entry) => typeof entry === 'string' && entry.trim() !== '')) {
      return value.map((entry) => entry.trim());
    }
    this.problems.push(`"${key}" must be a list of texts, such as ${JSON.stringify(fallback.slice(0, 3))}.`);
    return fallback;
  }
}
