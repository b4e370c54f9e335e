/** Messages between the agent and a worker process. */

/** A job for the user of a site. */
export interface WorkOrder {
  /** Name of the action, or of one of the agent's own jobs. */
  readonly work: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Folder of the site. */
  readonly home: string;
  /** Time limit in milliseconds. */
  readonly leftMs: number;
}

/** Messages of a worker. */
export type WorkMessage =
  | { readonly is: 'progress'; readonly done: number; readonly total: number }
  /** A body follows on its standard output. */
  | { readonly is: 'body'; readonly bytes: number | null }
  | { readonly is: 'end'; readonly value: Record<string, unknown> }
  | { readonly is: 'refused'; readonly code: string; readonly message: string; readonly params: Readonly<Record<string, string | number>> };

/** Command-line argument that starts the program as a worker. */
export const SITE_WORK = '--site-work';
