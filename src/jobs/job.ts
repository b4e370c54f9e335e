import { SetMetadata } from '@nestjs/common';

import type { JobTiming } from './scheduled-job.js';

/** Key of the metadata of {@link Job}. */
export const JOB_METADATA = Symbol('job');

/** When a job of the panel or the store itself runs; see {@link JobTiming}. */
export type JobDeclaration = { readonly name: string } & JobTiming;

/**
 * Makes a method of a provider a recurring job: it stands beside what it does and is listed nowhere else. Its parameter is a
 * {@link JobTurn}; a number it returns is shown as what it dealt with. It still claims what it works on by conditional updates: a process
 * that was stopped for long may go on with work that another one has begun anew.
 *
 * @example
 * ```ts
 * @Job({ name: 'order-expiry', everyMinutes: 5 })
 * async closeOld(): Promise<number> { … }
 * ```
 */
export const Job = (declaration: JobDeclaration): MethodDecorator => SetMetadata(JOB_METADATA, declaration);
