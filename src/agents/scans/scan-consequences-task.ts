/** Name of the task that does what follows of a scan. */
export const CONSEQUENCES_TASK = 'scan.consequences';

/** Payload of it. */
export interface ScanToFollow {
  /** `SVC_forbidden_scan.id` */
  readonly scanId: number;
}
