import type { AccessRule } from '../http/index.js';

/** The parts of an OpenAPI document that the documentation page reads. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: object;
  readonly servers: readonly object[];
  readonly tags: readonly { name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly securitySchemes: object;
    readonly responses: Readonly<Record<string, Response>>;
    readonly schemas: Readonly<Record<string, object>>;
  };
}

/** One endpoint. */
export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  /** Alternative authentication methods; one suffices. */
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters: readonly { name: string; in: string; required: boolean; description?: string; schema: object }[];
  readonly requestBody?: { required: boolean; content: Content };
  readonly responses: Readonly<Record<string, Response | { $ref: string }>>;
}

/** Bodies by media type. */
export type Content = Readonly<Record<string, { schema: object }>>;

/** A response. */
export interface Response {
  readonly description: string;
  readonly headers?: object;
  readonly content?: Content;
}

/** A scanned endpoint with its access rule, which becomes part of its description. */
export interface ScannedOperation extends Operation {
  readonly 'x-access': AccessRule;
}
