import { SetMetadata } from '@nestjs/common';

import type { Shape } from './shape.js';

const DESCRIPTION = 'store:description';

/** A field of a multipart form. */
export type FormField = Omit<Shape, 'required'> & { readonly optional?: boolean };

/** What an endpoint says of itself; its access, path, query and JSON body are read from its other decorators. */
export interface Description {
  /** What it does, one line of English. */
  readonly summary: string;
  /** More than one line, where there is more to say. */
  readonly details?: string;
  /** `data` of a good answer; a media type where the answer is no envelope, such as `application/zip`. */
  readonly answers: Shape | string;
  /** Fields of the form, where it takes one instead of JSON; a file has the format `binary`. */
  readonly multipart?: Readonly<Record<string, FormField>>;
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
