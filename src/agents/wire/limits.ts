/** Longest body of an act other than `report_result`, in bytes. */
export const MAX_REQUEST_BYTES = 64 * 1024;
/** Longest body of an unsigned `report_result`, in bytes. */
export const MAX_UNSIGNED_REPORT_BYTES = 1024 * 1024;
/** Longest body of a signed `report_result`, in bytes. */
export const MAX_REPORT_BYTES = 8 * 1024 * 1024;
/** How far an agent's clock may be off, in seconds. */
export const CLOCK_WINDOW_SECONDS = 300;
/** How long a nonce is remembered, in seconds: longer than a request with it could be valid. */
export const NONCE_SECONDS = 600;
/** How long a task belongs to the agent that pulled it, in seconds. */
export const LEASE_SECONDS = 300;
/** How often a task is given out before it counts as failed. */
export const MAX_ATTEMPTS = 3;
/** Matches kept of one scan. */
export const MAX_STORED_MATCHES = 5_000;
/** How long an agent counts as online after its last heartbeat, in milliseconds. */
export const ONLINE_MS = 60_000;

/** What an agent names that takes files out of sites. */
export const QUARANTINE_CAPABILITY = 'quarantine';

/** Form of a node's id. */
export const NODE_ID = /^[a-zA-Z0-9_.:-]{1,64}$/;
/** Form of a task's id. */
export const TASK_ID = /^[a-zA-Z0-9_.:-]{1,64}$/;
/** Form of a nonce. */
export const NONCE = /^[A-Za-z0-9_.:+/=-]{1,80}$/;
/** Ids under which agents report scans they began by themselves. */
export const OWN_SCAN_ID = /^scan_(full|incremental|auto)_[a-zA-Z0-9_.:-]{1,40}$/;
