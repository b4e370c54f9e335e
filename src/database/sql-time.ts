/** A moment as both engines store it: UTC, `YYYY-MM-DD HH:MM:SS.mmm`. */
export function toSqlTime(moment: Date): string {
  const text = moment.toISOString();
  return `${text.slice(0, 10)} ${text.slice(11, 23)}`;
}

/** The moment a stored text stands for; null stays null. */
export function fromSqlTime(text: string): Date;
export function fromSqlTime(text: string | null): Date | null;
export function fromSqlTime(text: string | null): Date | null {
  return text === null ? null : new Date(`${text.replace(' ', 'T')}Z`);
}
