import { SetMetadata } from '@nestjs/common';

import type { JobTiming } from './scheduled-job.js';

/** Metadata key of {@link Job}. */
export const JOB_METADATA = Symbol('job');

/** Name and schedule of a job of the panel or the store; see {@link JobTiming}. */
export type JobDeclaration = { readonly name: string } & JobTiming;

/**
 * Makes a method of a provider a recurring job. Its parameter is a {@link JobTurn}; a number it returns is shown as the number of items
 * processed. It must still claim its items by conditional updates: a process that was suspended for long may continue work that another
 * process has started again.
 *
 * @example
 * ```ts
 * @Job({ name: 'order-expiry', everyMinutes: 5 })
 * async closeOld(): Promise<number> { … }
 * ```
 */
export const Job = (declaration: JobDeclaration): MethodDecorator => SetMetadata(JOB_METADATA, declaration);
