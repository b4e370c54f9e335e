/**
 * Messages between agents and panel at `POST /api/node.php?act=…`. This file has no imports, so that agents can copy it. Source:
 * docs/panel-api.md "Node API".
 */

/** The acts of the node API. */
export type NodeAct = 'heartbeat' | 'pull_task' | 'report_result' | 'get_config' | 'extend_lease' | 'enroll' | BodyAct;

/**
 * The acts that transfer a body, to `…&task_id=<id>&attempt=<n>`, once per task: `get_body` has an empty body and returns the bytes,
 * `put_body` sends them with their length as `&bytes=<n>`. Both are signed; the signature of `put_body` contains `stream` instead of the
 * hash of the body, which the task's report contains instead. A refusal is a {@link NodeReply} (`application/json`), never mixed with the
 * bytes (`application/octet-stream`).
 */
export type BodyAct = 'get_body' | 'put_body';

/** Placeholder for the body hash in the signature of `put_body`. */
export type StreamHash = 'stream';

/** Body of `enroll`, which is unsigned: a new agent has no secret yet. */
export interface EnrollRequest {
  /** Token given to the installer; valid once, for 15 minutes. */
  token: string;
  version?: string;
}

/** Response to `enroll`: the agent's configuration with its secrets. */
export interface EnrollData {
  config: AgentConfig;
}

/** Body of `pull_task`. */
export interface PullTaskRequest {
  /** Long-polling time in seconds, at most 25; without it the response is immediate. Only the latest request of a node waits. */
  wait?: number;
  /**
   * Sent after a restart: ids of the tasks the agent still holds. Other tasks were lost with the old process, and their leases end
   * immediately. Repeated until a request succeeds.
   */
  held?: string[];
}

/** Response to `put_body`, once the whole body was received. */
export interface PutBodyData {
  bytes: number;
}

/** Usage of a disk. */
export interface DiskUse {
  /** Mount point, at most 100 characters. */
  mount: string;
  /** 0 to 100. */
  percent: number;
}

/** Body of `heartbeat`. All fields are optional; an omitted one keeps its known value, except `disks`, which becomes unknown. */
export interface HeartbeatRequest {
  /** At most 20 characters; default `online`. */
  status?: string;
  load?: number;
  /** At most 32. */
  disks?: DiskUse[];
  node_name?: string;
  version?: string;
  capabilities?: string[];
}

/** Response to `heartbeat`. */
export interface HeartbeatData {
  /** `Y-m-d H:i:s` in the panel's time zone. */
  server_time: string;
  /** The same time as Unix seconds. */
  timestamp: number;
}

/** Kinds of tasks. */
export type TaskAction = 'ping' | 'forbidden_scan' | 'quarantine_file' | 'restore_file' | 'delete_quarantined';

/** Payload of the three quarantine tasks, sent only to agents with the capability `quarantine`. Idempotent. */
export interface QuarantinePayload {
  /** Id of the quarantined file: 32 hex digits, chosen by the panel. */
  id: string;
  /** Original location: a real path, as in scan reports. */
  path: string;
  /** Hash of its content, if the panel knows it. */
  sha256?: string;
}

/** Payload of `forbidden_scan`. */
export interface ForbiddenScanPayload {
  /** Site name for the report. */
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

/** A delivered task. */
export interface PulledTask {
  task_id: string;
  /** A {@link TaskAction}, or the name of an action in `actions.ts` with an `ActionPayload`. */
  action: string;
  payload: Record<string, unknown>;
  /** Number of the attempt, 1 to 3. Sent back with reports and lease renewals to prove that they belong to this pull. */
  attempt: number;
  /** Seconds until the task is delivered again, unless it is reported or its lease renewed. */
  lease_seconds: number;
}

/** Response to `pull_task`. */
export interface PullTaskData {
  /** Null if there is no task. */
  task: PulledTask | null;
}

/** Body of `extend_lease`. */
export interface ExtendLeaseRequest {
  task_id: string;
  attempt?: number;
  /** Progress of a long action. */
  done?: number;
  /** 0 if unknown. */
  total?: number;
}

/** Response to `extend_lease`. */
export interface ExtendLeaseData {
  task_id: string;
  /** Seconds from now. */
  lease_seconds: number;
}

/** Body of `report_result`. */
export interface ReportRequest {
  /** Id of the task, or `scan_full_…`, `scan_incremental_…`, `scan_auto_…` for a scan the agent started itself. */
  task_id: string;
  status: 'success' | 'failed';
  result?: unknown;
  error?: string;
  attempt?: number;
}

/** Response to `report_result`. */
export interface ReportData {
  /** Whether it changed anything; false for a duplicate and for a task claimed or finished by another attempt. */
  accepted: boolean;
  /** Number of stored matches of a scan. */
  stored_matches?: number;
  /** Number of matches beyond the limit, which are counted but not stored. */
  dropped_matches?: number;
}

/**
 * A match of a forbidden keyword. `path` for files and logs; `table`, `field` and `id` for a database row; `url` for a log without a path.
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

/** Response to `get_config`. */
export interface ConfigData {
  forbidden_scan: {
    enabled: boolean;
    /** One keyword per line; lines that start with `#` are comments. */
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
    /** Cron expression of five fields, in the agent's time zone. */
    full_scan_cron: string;
  };
}

/** Body of every response. The contents of `data` are repeated at the top level. HTTP status 200; 413 if the request was too large. */
export interface NodeReply<Data extends object = object> {
  success: boolean;
  code: 200 | 400;
  msg: string;
  /** An empty array if there is no data. */
  data: Data | [];
}

/** Configuration of an agent, as returned by `addnode` and `nodemycz`. */
export interface AgentConfig {
  /** Address of the panel, without a trailing slash. */
  svc_url: string;
  /** The same under the name for older agents. */
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
