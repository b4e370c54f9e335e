import type { Database } from '../../../src/database/index.js';
import type { HostingAccount } from '../../../src/hosting/index.js';

import type { FakeServer, Kept } from '../agent-server.js';
import type { Answer } from '../agent-rig.js';

/** Where an action is asked for: a panel, and one of its hosts on a server with an agent. */
export interface PanelCaseAt {
  /** User of the host; every case that says another name has one of its own. */
  readonly user: string;
  readonly database: Database;
  readonly server: FakeServer;
  /** Code of the server in the panel, its id, and that of its agent; and code of another one like it. */
  readonly code: string;
  readonly serverId: string;
  readonly agentId: string;
  readonly other: string;
  /** What an earlier step of the case found out. */
  readonly memo: Record<string, string>;
  /** An operation of the administrator, about the host where no `id` is given. */
  call(gn: string, fields?: Record<string, string>): Promise<Answer>;
  /** The same, of one that must succeed. */
  must(gn: string, fields?: Record<string, string>): Promise<Answer>;
  /** Sends a piece of a file, as the page does. */
  upload(name: string, content: string, from: number, to: number): Promise<Answer>;
  /** What an address that an operation answered gives. */
  download(answer: Answer): Promise<string>;
  /** Opens a host of this name. */
  open(user: string): Promise<Answer>;
  /** Rows of the host; none before it is there. */
  rows(): Promise<HostingAccount[]>;
  /** What its server was told of it. */
  kept(): Promise<Kept>;
  /** A file of it; null: there is none. */
  text(path: string): Promise<string | null>;
  put(path: string, content: string): Promise<void>;
}

/** How the panel comes to ask an agent for an action: as an owner or an administrator has it do that. */
export interface PanelCase {
  /** Name of the host it is done with; `''` where the agent is asked about the server. Cases with the same name share one. */
  readonly host: string;
  /** Whether the host is none that stands there before. */
  readonly isNew?: boolean;
  /** Only one case of a lane is under way at a time: the panel does these one after another. */
  readonly lane?: string;
  /** Of one whose answer is a body: there is no later moment, or whoever waits for it has it already. */
  readonly only?: 'begun';
  readonly before?: (at: PanelCaseAt) => Promise<unknown>;
  readonly ask: (at: PanelCaseAt) => Promise<unknown>;
  /** What shows that it was done, once and wholly; nothing for an action that changes nothing. */
  readonly state?: (at: PanelCaseAt) => Promise<unknown>;
  readonly wanted?: unknown;
}

/** One that is tried in another spec, or that the panel never asks for. */
export type PanelEntry = PanelCase | { readonly elsewhere: string } | { readonly never: string };
