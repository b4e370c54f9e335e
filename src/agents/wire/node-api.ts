/**
 * What agents and panel say to each other at `POST /api/node.php?act=…`. Nothing in here depends on anything: an agent may
 * copy the file. Source: docs/panel-api.md "Node API".
 */

/** The acts of the node API. */
export type NodeAct = 'heartbeat' | 'pull_task' | 'report_result' | 'get_config' | 'extend_lease' | 'enroll' | BodyAct;

/**
 * The two that move a body, to `…&task_id=<id>&attempt=<n>` and once for a task: `get_body` has an empty body and answers with the bytes,
 * `put_body` sends them and says with `&bytes=<n>` how many there are. Both are signed; in the signature of `put_body` stands `stream`
 * where others have the hash of their body, which is told by the report of the task instead. A refusal is a {@link NodeReply}
 * (`application/json`), never a part of the bytes (`application/octet-stream`).
 */
export type BodyAct = 'get_body' | 'put_body';

/** What stands in the signature of `put_body` in place of the hash of its body. */
export type StreamHash = 'stream';

/** Body of `enroll`, which is not signed: a new agent has no secret yet. */
export interface EnrollRequest {
  /** As the installer was told; good once, for 15 minutes. */
  token: string;
  version?: string;
}

/** Answer to `enroll`: the configuration of the agent, with its secrets. */
export interface EnrollData {
  config: AgentConfig;
}

/** Body of `pull_task`. */
export interface PullTaskRequest {
  /** Seconds to wait for a task where there is none, at most 25; none where it is missing. Only the last request of a node waits. */
  wait?: number;
  /**
   * Of an agent that has just been started: ids of the tasks it still has of those it was given before. What it does not name was lost with
   * the process that had it, and does not wait for the end of its lease. Said until a request is answered.
   */
  held?: string[];
}

/** Answer to `put_body`, once all of it was taken. */
export interface PutBodyData {
  bytes: number;
}

/** How full a disk is. */
export interface DiskUse {
  /** Where it is mounted, at most 100 characters. */
  mount: string;
  /** 0 to 100. */
  percent: number;
}

/**
 * Body of `heartbeat`. Every field is optional; one that is missing leaves what the panel knows as it is, `disks`
 * excepted: without them nobody knows.
 */
export interface HeartbeatRequest {
  /** At most 20 characters; `online` where it is missing. */
  status?: string;
  load?: number;
  /** At most 32. */
  disks?: DiskUse[];
  node_name?: string;
  version?: string;
  capabilities?: string[];
}

/** Answer to `heartbeat`. */
export interface HeartbeatData {
  /** `Y-m-d H:i:s` in the panel's zone. */
  server_time: string;
  /** Unix seconds of the same moment. */
  timestamp: number;
}

/** Kinds of work the panel gives. */
export type TaskAction = 'ping' | 'forbidden_scan' | 'quarantine_file' | 'restore_file' | 'delete_quarantined';

/**
 * Payload of the three that are about files in quarantine; only agents that name the capability `quarantine` get them. Done
 * again, they come to the same end.
 */
export interface QuarantinePayload {
  /** Names the file in quarantine: 32 hex digits, chosen by the panel. */
  id: string;
  /** Where it is or was: a real path, as scans report it. */
  path: string;
  /** Hash of its content, where the panel knows it. */
  sha256?: string;
}

/** Payload of `forbidden_scan`. */
export interface ForbiddenScanPayload {
  /** What the report names as its site. */
  site: string;
  /** Absolute folder. */
  root: string;
  keywords: string[];
  /** Bytes. */
  max_file_size: number;
  max_matches: number;
  scan_changed_only: boolean;
  scan_mode: 'full' | 'incremental';
  auto_trigger?: boolean;
  trigger_reason?: string;
}

/** A task as it is handed out. */
export interface PulledTask {
  task_id: string;
  /** A {@link TaskAction}, or the name of an action of `actions.ts`, whose payload is an `ActionPayload`. */
  action: string;
  payload: Record<string, unknown>;
  /** Which attempt this is, 1 to 3. Sent back with report and lease, it proves that they belong to this pull. */
  attempt: number;
  /** Seconds until the task is given out again unless it is reported or its lease extended. */
  lease_seconds: number;
}

/** Answer to `pull_task`. */
export interface PullTaskData {
  /** Null when there is nothing to do. */
  task: PulledTask | null;
}

/** Body of `extend_lease`. */
export interface ExtendLeaseRequest {
  task_id: string;
  attempt?: number;
  /** How far the work is, of an action that takes long. */
  done?: number;
  /** 0 where it is not known. */
  total?: number;
}

/** Answer to `extend_lease`. */
export interface ExtendLeaseData {
  task_id: string;
  /** Seconds from now. */
  lease_seconds: number;
}

/** Body of `report_result`. */
export interface ReportRequest {
  /** The task's; `scan_full_…`, `scan_incremental_…`, `scan_auto_…` for a scan the agent began by itself. */
  task_id: string;
  status: 'success' | 'failed';
  result?: unknown;
  error?: string;
  attempt?: number;
}

/** Answer to `report_result`. */
export interface ReportData {
  /** Whether it changed anything: false for a duplicate, and for an attempt whose task somebody else has or has finished. */
  accepted: boolean;
  /** Matches that were kept, of a scan. */
  stored_matches?: number;
  /** Matches beyond what one scan may have; they are counted and not kept. */
  dropped_matches?: number;
}

/**
 * One place with a forbidden word. `path` for files and logs; `table`, `field` and `id` for a row of a database;
 * `url` for a log without a path.
 */
export interface ScanMatch {
  site?: string;
  type?: 'file' | 'database' | 'log';
  path?: string;
  url?: string;
  table?: string;
  field?: string;
  id?: string | number;
  line?: number;
  keyword?: string;
  excerpt?: string;
}

/** Answer to `get_config`. */
export interface ConfigData {
  forbidden_scan: {
    enabled: boolean;
    /** One keyword a line; a line that starts with `#` is a comment. */
    content: string;
    scan_changed_only: boolean;
    scan_dir: string;
    /** Separated by commas. */
    skip_dirs: string;
    /** Separated by commas. */
    skip_exts: string;
    /** Bytes. */
    max_file_size: number;
    max_matches: number;
    full_scan_enabled: boolean;
    /** Five fields, in the agent's zone. */
    full_scan_cron: string;
  };
}

/** Body of every answer. What `data` holds stands at the top level too. Sent with HTTP 200; with 413 when the request was too large. */
export interface NodeReply<Data extends object = object> {
  success: boolean;
  code: 200 | 400;
  msg: string;
  /** An empty array where there is nothing to say. */
  data: Data | [];
}

/** What an agent is configured with, as `addnode` and `nodemycz` hand it out. */
export interface AgentConfig {
  /** Address of the panel, without a trailing slash. */
  svc_url: string;
  /** The same under the name older agents read. */
  mnbt_url: string;
  /** Empty where secrets are not shown again. */
  platform_secret: string;
  node_id: string;
  /** Empty where secrets are not shown again. */
  node_secret: string;
  node_name: string;
  version: string;
  /** Seconds between two heartbeats, 5 at least. */
  interval_seconds: number;
  capabilities: string[];
}
