import { SetMetadata } from '@nestjs/common';

import type { StoreStatus } from '../errors.js';

import type { Shape } from './shape.js';

const DESCRIPTION = 'store:description';

/** Statuses of errors an endpoint answers on purpose; 5xx can always come besides. */
export type Refusal = Exclude<StoreStatus, 500 | 503>;

/** A field of a multipart form. */
export type FormField = Shape & { readonly optional?: boolean };

/** An answer that is neither the usual one nor an error. */
export interface OtherAnswer {
  readonly description: string;
  /** Media type of its body; without one it has none. */
  readonly media?: string;
  /** Headers it always has, by name, and what they say. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** What an endpoint says of itself; its access, path, query and JSON body are read from its other decorators. */
export interface Description {
  /** What it does, one line of English. */
  readonly summary: string;
  /** More than one line, where there is more to say. */
  readonly details?: string;
  /** `data` of a good answer; a media type where the answer is no envelope, such as `application/zip`. */
  readonly answers: Shape | string;
  /** Headers a good answer always has besides, by name, and what they say. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Further answers by status, such as 304. */
  readonly others?: Readonly<Record<number, OtherAnswer>>;
  /** Headers a request may have, by name, and what they do. */
  readonly asks?: Readonly<Record<string, string>>;
  /** Fields of the form, where it takes one instead of JSON; a file has the format `binary`. */
  readonly multipart?: Readonly<Record<string, FormField>>;
  /** JSON body where no class describes it. */
  readonly body?: Shape;
  /** What fields of the query stand for when they are left out. */
  readonly usual?: Readonly<Record<string, string | number>>;
  /** Statuses of errors besides those that access, path and body bring with them; see `refusalsOf`. */
  readonly refuses?: readonly Refusal[];
}

/**
 * Describes an endpoint for `/api/docs`. Every one needs it; a test compares real answers with it.
 *
 * @example
 * ```ts
 * @Get('me')
 * @StoreAccess('developer')
 * @Describe({ summary: 'Who is signed in', answers: USER })
 * ```
 */
export const Describe = (description: Description) => SetMetadata(DESCRIPTION, description);

/** What a handler says of itself. */
export function descriptionOf(handler: (...args: never[]) => unknown): Description | undefined {
  return Reflect.getMetadata(DESCRIPTION, handler) as Description | undefined;
}
