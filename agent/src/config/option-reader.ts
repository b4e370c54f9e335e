import path from 'node:path';

/** Reads config options by type and collects the errors. */
export class OptionReader {
  /**
   * @param raw the config as parsed
   * @param folder base of relative paths
   * @param problems receives the errors, worded for the author of the config
   */
  constructor(
    private readonly raw: Readonly<Record<string, unknown>>,
    private readonly folder: string,
    private readonly problems: string[],
  ) {}

  /** Reads a required text; returns '' if it is missing. */
  required(key: string, advice: string): string {
    const value = this.raw[key];
    if (typeof value === 'string' && value.trim() !== '') return value.trim();
    this.problems.push(`"${key}" is missing or not a text. ${advice}`);
    return '';
  }

  /** Reads an integer of seconds within bounds; returns `fallback` if it is missing or invalid. */
  seconds(key: string, fallback: number, min: number, max: number): number {
    const given = this.raw[key];
    if (given === undefined) return fallback;
    const value = Number(given);
    if (given !== '' && given !== null && Number.isInteger(value) && value >= min && value <= max) return value;
    this.problems.push(`"${key}" must be a whole number of seconds from ${min} to ${max}.`);
    return fallback;
  }

  /** Reads a path and makes it absolute; null if it is missing. */
  optionalPath(key: string, advice: string): string | null {
    const value = this.raw[key];
    if (value === undefined || value === null || value === '') return null;
    if (typeof value === 'string' && !value.includes('\0')) return path.resolve(this.folder, value);
    this.problems.push(`"${key}" must be a path. ${advice}`);
    return null;
  }

  /** Reads a list of texts and trims them; returns `fallback` if it is missing or invalid. */
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
