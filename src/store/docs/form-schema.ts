import type { Type } from '@nestjs/common';
import { getMetadataStorage } from 'class-validator';

import type { Shape } from '../http/index.js';

type Rule = (constraints: readonly unknown[]) => Partial<Shape>;

/** What each rule of class-validator says in JSON Schema; a rule that is not here narrows what the schema tells. */
const RULES: Readonly<Record<string, Rule>> = {
  isString: () => ({ type: 'string' }),
  isInt: () => ({ type: 'integer' }),
  isNumber: () => ({ type: 'number' }),
  isBoolean: () => ({ type: 'boolean' }),
  isArray: () => ({ type: 'array' }),
  isObject: () => ({ type: 'object' }),
  isEmail: () => ({ type: 'string', format: 'email' }),
  visible: () => ({ type: 'string' }),
  characters: ([min, max]) => ({ type: 'string', minLength: Number(min), maxLength: Number(max) }),
  isLength: ([min, max]) => ({ minLength: Number(min), ...(max === undefined ? {} : { maxLength: Number(max) }) }),
  minLength: ([min]) => ({ minLength: Number(min) }),
  maxLength: ([max]) => ({ maxLength: Number(max) }),
  min: ([min]) => ({ minimum: Number(min) }),
  max: ([max]) => ({ maximum: Number(max) }),
  isIn: ([values]) => ({ enum: values as string[] }),
  matches: ([pattern]) => ({ type: 'string', pattern: String((pattern as RegExp).source) }),
  arrayMaxSize: ([max]) => ({ maxItems: Number(max) }),
};

/** A form with its rules as JSON Schema. */
export function formSchema(form: Type): Shape {
  const properties: Record<string, Shape> = {};
  const items: Record<string, Shape> = {};
  const optional = new Set<string>();
  for (const { propertyName, name = '', constraints, each } of getMetadataStorage().getTargetValidationMetadatas(form, '', false, false)) {
    properties[propertyName] ??= { type: 'string' };
    if (name === 'isOptional') optional.add(propertyName);
    const rule = RULES[name]?.((constraints as readonly unknown[] | undefined) ?? []);
    if (!rule) continue;
    const target = each ? items : properties;
    target[propertyName] = { type: 'string', ...target[propertyName], ...rule };
  }
  for (const [name, item] of Object.entries(items)) properties[name] = { ...properties[name], type: 'array', items: item };
  return { type: 'object', properties, required: Object.keys(properties).filter((name) => !optional.has(name)) };
}
