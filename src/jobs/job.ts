import { SetMetadata } from '@nestjs/common';

/** Key of the metadata of {@link Job}. */
export const JOB_METADATA = Symbol('job');

/** When a job of the panel or the store itself runs; see {@link RepeatedJob} and {@link DailyJob}. */
export type JobDeclaration = { readonly name: string; readonly everyMinutes: number } | { readonly name: string; readonly dailyAt: string };

/**
 * Makes a method of a provider a recurring job: it stands beside what it does and is listed nowhere else. It may run in several
 * processes at once, so it claims what it works on by conditional updates; what it returns is ignored.
 *
 * @example
 * ```ts
 * @Job({ name: 'order-expiry', everyMinutes: 5 })
 * async closeOld(): Promise<number> { … }
 * ```
 */
export const Job = (declaration: JobDeclaration): MethodDecorator => SetMetadata(JOB_METADATA, declaration);
