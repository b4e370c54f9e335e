/** Form of a value on the wire: the part of JSON Schema (2020-12) the store's descriptions need. */
export interface Shape {
  /** Left out where {@link Shape.anyOf} says it. */
  readonly type?: string | readonly string[];
  /** Name under which the description of the API keeps it: one with a name is told once and referred to. */
  readonly title?: string;
  readonly description?: string;
  readonly format?: string;
  readonly enum?: readonly (string | number | null)[];
  readonly anyOf?: readonly Shape[];
  readonly items?: Shape;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly pattern?: string;
  readonly contentMediaType?: string;
  readonly default?: string | number;
}

/** What a value of a simple type keeps to. */
type Rules = Pick<Shape, 'format' | 'minLength' | 'maxLength' | 'minimum' | 'maximum' | 'pattern' | 'default'>;

/** Builders of {@link Shape}s, for {@link Describe}. */
export const shape = {
  text: (description?: string, rules: Rules = {}): Shape => ({ type: 'string', ...told(description), ...rules }),
  /** One of some texts. */
  oneOf: (...values: string[]): Shape => ({ type: 'string', enum: values }),
  integer: (description?: string, rules: Rules = {}): Shape => ({ type: 'integer', ...told(description), ...rules }),
  number: (description?: string, rules: Rules = {}): Shape => ({ type: 'number', ...told(description), ...rules }),
  flag: (description?: string): Shape => ({ type: 'boolean', ...told(description) }),
  /** Row number of something. */
  id: (description?: string): Shape => ({ type: 'integer', minimum: 1, ...told(description) }),
  /** How many there are. */
  count: (description?: string): Shape => ({ type: 'integer', minimum: 0, ...told(description) }),
  /** A moment, ISO 8601 UTC. */
  time: (description?: string): Shape => ({ type: 'string', format: 'date-time', ...told(description) }),
  sha256: (description?: string): Shape => ({ type: 'string', pattern: '^[0-9a-f]{64}$', ...told(description) }),
  nothing: (): Shape => ({ type: 'null' }),
  /** Any object: what it holds is up to somebody else. */
  anything: (description: string): Shape => ({ type: 'object', description, additionalProperties: true }),
  either: (...shapes: Shape[]): Shape => ({ anyOf: shapes }),
  list: (items: Shape, rules: Pick<Shape, 'maxItems' | 'description'> = {}): Shape => ({ type: 'array', items, ...rules }),
  /** A value that may be null. */
  nullable: (of: Shape): Shape =>
    of.title || !of.type
      ? { anyOf: [of, { type: 'null' }] }
      : { ...of, type: [...[of.type].flat(), 'null'], ...(of.enum ? { enum: [...of.enum, null] } : {}) },
  /** An object that has each of these fields and no other: an answer with a field nobody described is a mistake. */
  record: (properties: Record<string, Shape>): Shape => ({
    type: 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  }),
  /** An object that has some of these fields and no other. */
  partial: (properties: Record<string, Shape>): Shape => ({ type: 'object', properties, additionalProperties: false }),
  /** A page of a list. @param rows name of the field with the rows */
  page: (items: Shape, rows = 'items'): Shape =>
    shape.record({
      [rows]: shape.list(items, { maxItems: 100 }),
      total: shape.count('Rows on all pages'),
      page: shape.id(),
      page_size: shape.integer(undefined, { minimum: 1, maximum: 100 }),
    }),
  /** The same under a name: every place that has it refers to one description. */
  named: (title: string, of: Shape): Shape => ({ ...of, title }),
} as const;

function told(description: string | undefined): Pick<Shape, 'description'> {
  return description ? { description } : {};
}
