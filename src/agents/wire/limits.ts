/** Maximum body of an act other than `report_result`, in bytes. */
export const MAX_REQUEST_BYTES = 64 * 1024;
/** Maximum body of an unsigned `report_result`, in bytes. */
export const MAX_UNSIGNED_REPORT_BYTES = 1024 * 1024;
/** Maximum body of a signed `report_result`, in bytes. */
export const MAX_REPORT_BYTES = 8 * 1024 * 1024;
/** Maximum clock difference of an agent, in seconds. */
export const CLOCK_WINDOW_SECONDS = 300;
/** How long a nonce is stored, in seconds; longer than a request with it can be valid. */
export const NONCE_SECONDS = 600;
/** Lease time of a pulled task, in seconds. */
export const LEASE_SECONDS = 300;
/** How often a task is delivered before it fails. */
export const MAX_ATTEMPTS = 3;
/** Maximum number of stored matches per scan. */
export const MAX_STORED_MATCHES = 5_000;
/** How long an agent counts as online after its last heartbeat, in milliseconds. */
export const ONLINE_MS = 60_000;

/** Capability of agents that support quarantine. */
export const QUARANTINE_CAPABILITY = 'quarantine';

/** Pattern of node ids. */
export const NODE_ID = /^[a-zA-Z0-9_.:-]{1,64}$/;
/** Pattern of task ids. */
export const TASK_ID = /^[a-zA-Z0-9_.:-]{1,64}$/;
/** Pattern of nonces. */
export const NONCE = /^[A-Za-z0-9_.:+/=-]{1,80}$/;
/** Pattern of the ids of scans started by agents. */
export const OWN_SCAN_ID = /^scan_(full|incremental|auto)_[a-zA-Z0-9_.:-]{1,40}$/;
