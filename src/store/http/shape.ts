/** Form of a value on the wire: the part of JSON Schema (2020-12) the store's descriptions need. */
export interface Shape {
  readonly type: string | readonly string[];
  readonly description?: string;
  readonly format?: string;
  readonly enum?: readonly (string | number | null)[];
  readonly items?: Shape;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
}

/** Builders of {@link Shape}s, for {@link Describe}. */
export const shape = {
  text: (description?: string): Shape => ({ type: 'string', ...(description ? { description } : {}) }),
  /** One of some texts. */
  oneOf: (...values: string[]): Shape => ({ type: 'string', enum: values }),
  integer: (description?: string): Shape => ({ type: 'integer', ...(description ? { description } : {}) }),
  number: (description?: string): Shape => ({ type: 'number', ...(description ? { description } : {}) }),
  flag: (description?: string): Shape => ({ type: 'boolean', ...(description ? { description } : {}) }),
  /** A moment, ISO 8601 UTC. */
  time: (): Shape => ({ type: 'string', format: 'date-time' }),
  nothing: (): Shape => ({ type: 'null' }),
  /** Any object: what it holds depends on something else. */
  anything: (description: string): Shape => ({ type: 'object', description, additionalProperties: true }),
  list: (items: Shape): Shape => ({ type: 'array', items }),
  /** A value that may be null. */
  nullable: (of: Shape): Shape => ({ ...of, type: [...[of.type].flat(), 'null'], ...(of.enum ? { enum: [...of.enum, null] } : {}) }),
  /** An object that has each of these fields and no other: an answer with a field nobody described is a mistake. */
  record: (properties: Record<string, Shape>): Shape => ({ type: 'object', properties, required: Object.keys(properties), additionalProperties: false }),
  /** A page of a list. @param rows name of the field with the rows */
  page: (items: Shape, rows = 'items'): Shape =>
    shape.record({ [rows]: shape.list(items), total: shape.integer(), page: shape.integer(), page_size: shape.integer() }),
} as const;
