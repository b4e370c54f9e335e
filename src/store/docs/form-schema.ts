import type { Type } from '@nestjs/common';
import { getMetadataStorage } from 'class-validator';

import { listedFormOf, type Shape, wireShapeOf } from '../http/index.js';

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
  isNotEmpty: () => ({ minLength: 1 }),
  minLength: ([min]) => ({ minLength: Number(min) }),
  maxLength: ([max]) => ({ maxLength: Number(max) }),
  min: ([min]) => ({ minimum: Number(min) }),
  max: ([max]) => ({ maximum: Number(max) }),
  isIn: ([values]) => ({ enum: values as string[] }),
  matches: ([pattern]) => ({ type: 'string', pattern: String((pattern as RegExp).source) }),
  arrayMaxSize: ([max]) => ({ maxItems: Number(max) }),
  arrayMinSize: ([min]) => ({ minItems: Number(min) }),
  arrayUnique: () => ({ uniqueItems: true }),
};

/** A form with its rules as JSON Schema, under the name of its class. Fields it does not have are ignored, so others may come. */
export function formSchema(form: Type): Shape {
  const properties: Record<string, Shape> = {};
  const rows: Record<string, Shape> = {};
  const optional = new Set<string>();
  for (const { propertyName, name = '', constraints, each } of getMetadataStorage().getTargetValidationMetadatas(form, '', false, false)) {
    properties[propertyName] ??= { type: 'string' };
    if (name === 'isOptional') optional.add(propertyName);
    const rule = RULES[name]?.((constraints as readonly unknown[] | undefined) ?? []);
    if (!rule) continue;
    const target = each ? rows : properties;
    target[propertyName] = { type: 'string', ...target[propertyName], ...rule };
  }
  const usual = new form() as Record<string, unknown>;
  for (const name of Object.keys(properties)) properties[name] = fieldSchema(form, name, properties[name]!, rows[name], usual[name]);
  return { type: 'object', title: form.name, properties, required: Object.keys(properties).filter((name) => !optional.has(name)) };
}

function fieldSchema(form: Type, name: string, rules: Shape, row: Shape | undefined, usual: unknown): Shape {
  const listed = listedFormOf(form, name);
  const items = listed ? formSchema(listed) : row;
  const shape = wireShapeOf(form, name) ?? (items ? { ...rules, type: 'array', items } : rules);
  return typeof usual === 'number' || typeof usual === 'string' ? { ...shape, default: usual } : shape;
}
