/** Name of the background task that processes the consequences of a scan. */
export const CONSEQUENCES_TASK = 'scan.consequences';

/** Payload of that task. */
export interface ScanToFollow {
  /** `SVC_forbidden_scan.id` */
  readonly scanId: number;
}
