import type { Shape } from '../http/index.js';

/** Schemas with a name, told once; places that have one refer to it. */
export class SharedSchemas {
  private readonly schemas = new Map<string, object>();
  private readonly origins = new Map<string, string>();

  /** A shape as it stands in the document. @throws Error for a name two different shapes have */
  place(shape: Shape): object {
    const { title } = shape;
    if (!title) return this.inside(shape);
    const origin = JSON.stringify(shape);
    const known = this.origins.get(title);
    if (known === undefined) {
      this.origins.set(title, origin);
      this.schemas.set(title, this.inside(shape));
    } else if (known !== origin) {
      throw new Error(`Two shapes of the description are named "${title}".`);
    }
    return { $ref: `#/components/schemas/${title}` };
  }

  /** Every schema with a name. */
  all(): Record<string, object> {
    return Object.fromEntries([...this.schemas].sort(([a], [b]) => a.localeCompare(b)));
  }

  private inside(shape: Shape): object {
    const { properties, items, anyOf } = shape;
    return {
      ...shape,
      ...(properties
        ? { properties: Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, this.place(inner)])) }
        : {}),
      ...(items ? { items: this.place(items) } : {}),
      ...(anyOf ? { anyOf: anyOf.map((inner) => this.place(inner)) } : {}),
    };
  }
}
