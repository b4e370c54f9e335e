/** Suffix of the note of a site whose account is suspended. */
const SUSPENDED = ' [suspended]';
/** Marks of our panel's accounts. */
const MARK = /^host:\d{1,10}:[a-z0-9.:]{1,80}$/;

/** Owner and state of a site, from its note (`ps`) on the server. */
export interface SiteMark {
  /** Null for a site that belongs to no account. */
  readonly owner: string | null;
  readonly suspended: boolean;
}

/** Builds the note of a site that belongs to an account. */
export function noteOf(owner: string, suspended: boolean): string {
  return suspended ? owner + SUSPENDED : owner;
}

/** Parses the note of a site; any other text means that the site is not ours. */
export function readNote(note: string): SiteMark {
  const suspended = note.endsWith(SUSPENDED);
  const owner = suspended ? note.slice(0, -SUSPENDED.length) : note;
  return MARK.test(owner) ? { owner, suspended } : { owner: null, suspended: false };
}
