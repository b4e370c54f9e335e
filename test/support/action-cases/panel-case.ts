import type { Database } from '../../../src/database/index.js';
import type { HostingAccount } from '../../../src/hosting/index.js';

import type { FakeServer, Kept } from '../agent-server.js';
import type { Answer } from '../agent-rig.js';

/** Fixture of a panel case: a panel, and one of its hosts on a server with an agent. */
export interface PanelCaseAt {
  /** User of the host; cases with different {@link PanelCase.host} use different hosts. */
  readonly user: string;
  readonly database: Database;
  readonly server: FakeServer;
  /** Code of the server in the panel, its id, and the id of its agent; and the code of another server of the same kind. */
  readonly code: string;
  readonly serverId: string;
  readonly agentId: string;
  readonly other: string;
  /** Values stored by earlier steps of the case. */
  readonly memo: Record<string, string>;
  /** Calls an operation as administrator, for the host if no `id` is given. */
  call(gn: string, fields?: Record<string, string>): Promise<Answer>;
  /** Like {@link call}, and throws on a failure answer. */
  must(gn: string, fields?: Record<string, string>): Promise<Answer>;
  /** Uploads a chunk of a file, as the page does. */
  upload(name: string, content: string, from: number, to: number): Promise<Answer>;
  /** Downloads the content from the address in the answer of an operation. */
  download(answer: Answer): Promise<string>;
  /** Opens a host with this name. */
  open(user: string): Promise<Answer>;
  /** Returns the rows of the host; empty before it exists. */
  rows(): Promise<HostingAccount[]>;
  /** Returns what its server stores about it. */
  kept(): Promise<Kept>;
  /** Returns the content of a file of the host; null if it does not exist. */
  text(path: string): Promise<string | null>;
  put(path: string, content: string): Promise<void>;
}

/** Case of an action: how an operation of an owner or administrator makes the panel call it. */
export interface PanelCase {
  /** Name of the host; `''` for an action on the server. Cases with the same name share a host. */
  readonly host: string;
  /** Whether the host does not exist before the case. */
  readonly isNew?: boolean;
  /** Cases with the same lane run one after another, because the panel runs their actions one after another. */
  readonly lane?: string;
  /** Set for actions whose result is a body: the panel is only killed as they begin. */
  readonly only?: 'begun';
  readonly before?: (at: PanelCaseAt) => Promise<unknown>;
  readonly ask: (at: PanelCaseAt) => Promise<unknown>;
  /** Returns the state that shows that the action was done once and completely; unset for actions that change nothing. */
  readonly state?: (at: PanelCaseAt) => Promise<unknown>;
  readonly wanted?: unknown;
}

/** Case, or the spec that tests the action, or the reason why the panel never calls it. */
export type PanelEntry = PanelCase | { readonly elsewhere: string } | { readonly never: string };
