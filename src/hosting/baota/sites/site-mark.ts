/** At the end of the note of a site whose account is out of service. */
const SUSPENDED = ' [suspended]';
/** Marks of the panel's accounts. */
const MARK = /^host:\d{1,10}:[a-z0-9.:]{1,80}$/;

/** Owner and state of a site, as its note (`ps`) on the server has them. */
export interface SiteMark {
  /** Null for a site that is nobody's here. */
  readonly owner: string | null;
  readonly suspended: boolean;
}

/** Makes the note of a site that belongs to an account. */
export function noteOf(owner: string, suspended: boolean): string {
  return suspended ? owner + SUSPENDED : owner;
}

/** Reads the note of a site: whoever keeps it otherwise has his own words in it. */
export function readNote(note: string): SiteMark {
  const suspended = note.endsWith(SUSPENDED);
  const owner = suspended ? note.slice(0, -SUSPENDED.length) : note;
  return MARK.test(owner) ? { owner, suspended } : { owner: null, suspended: false };
}
