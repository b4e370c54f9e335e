/** What a process that works for a site is told to do, and how it ended: messages between the agent and it. */

/** One piece of work, for the user of a site. */
export interface WorkOrder {
  /** Name of the action, or one of the agent's own. */
  readonly work: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Folder of the site. */
  readonly home: string;
  /** Milliseconds until it is ended. */
  readonly leftMs: number;
}

/** What it says. */
export type WorkMessage =
  | { readonly is: 'progress'; readonly done: number; readonly total: number }
  /** A body follows on its standard output. */
  | { readonly is: 'body'; readonly bytes: number | null }
  | { readonly is: 'end'; readonly value: Record<string, unknown> }
  | { readonly is: 'refused'; readonly code: string; readonly message: string; readonly params: Readonly<Record<string, string | number>> };

/** Argument by which the program is such a process. */
export const SITE_WORK = '--site-work';
