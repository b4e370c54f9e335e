import { evalToken, filters, isTruthy, Liquid, toValueSync, TypeGuards, Value } from 'liquidjs';
import type { Context, Expression, Filter, Token } from 'liquidjs';

/** Evaluates a value against a template's data. */
export type Evaluate = (context: Context) => unknown;

/** Signature of a liquidjs operator: its operands and the context. */
type Operator = (...operands: unknown[]) => unknown;
type FilterHandler = (this: object, value: unknown, ...args: unknown[]) => unknown;

const SPECIAL = /[&<>"']/;

/**
 * Compiles a template value into a function. liquidjs evaluates everything through generators, some ten for `{{ row.name }}`, because
 * any value might be a promise. On a synchronously rendered page none is: literals, paths of fixed names, operators and filters become
 * plain functions, compiled once per place in a template; anything else is left to the library.
 */
export function evaluatorOf(value: Value): Evaluate {
  return value.filters.reduce(filtered, expressionOf(value.initial));
}

/** Compiles a value without filters, as in `for item in list`. */
export function readerOf(token: Token | undefined): Evaluate {
  if (token === undefined) return () => undefined;
  if ('content' in token) {
    const { content } = token;
    return () => content;
  }
  if (!TypeGuards.isPropertyAccessToken(token) || token.variable) return (context) => toValueSync(evalToken(token, context));
  const names = token.props.map((property) => ('content' in property ? property.content : null));
  if (names.length === 0 || names.includes(null)) return (context) => toValueSync(evalToken(token, context));
  return pathOf(names as string[]);
}

/** Runs a generator to its result; returns anything else unchanged. */
export function finished(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? toValueSync(value as Generator<unknown, unknown, unknown>) : value;
}

function pathOf([first, ...rest]: string[]): Evaluate {
  if (rest.length === 0) return (context) => propertyOf(scopeOf(context, first!), first!, context);
  if (rest.length === 1) {
    const [second] = rest;
    return (context) => propertyOf(propertyOf(scopeOf(context, first!), first!, context), second!, context);
  }
  return (context) => {
    let value = propertyOf(scopeOf(context, first!), first!, context);
    for (const name of rest) value = propertyOf(value, name, context);
    return value;
  };
}

function scopeOf(context: Context, name: string): object {
  return (context as unknown as { findScope(name: string): object }).findScope(name);
}

/**
 * Reads a data field of a plain object directly. The library reads anything else: drops and sizes. Names that every object inherits
 * are only read directly as own fields.
 */
function propertyOf(owner: unknown, name: string, context: Context): unknown {
  if (typeof owner === 'object' && owner !== null) {
    const value = (owner as Record<string, unknown>)[name];
    if (value !== undefined && typeof value !== 'function' && (!(name in Object.prototype) || Object.hasOwn(owner, name))) return value;
  }
  return finished(context.readProperty(owner as never, name));
}

function expressionOf({ postfix }: Expression): Evaluate {
  const stack: Evaluate[] = [];
  for (const token of postfix) {
    if (!TypeGuards.isOperatorToken(token)) {
      stack.push(readerOf(token));
      continue;
    }
    const right = stack.pop()!;
    stack.push(token.operator === 'not' ? not(right) : operation(token.operator, stack.pop()!, right));
  }
  return stack[0] ?? (() => undefined);
}

function not(operand: Evaluate): Evaluate {
  return (context) => {
    const value = operand(context);
    return typeof value === 'boolean' ? !value : finished((context.opts.operators.not as Operator)(value, context));
  };
}

/** Both operands are always evaluated, like in the library. */
function operation(operator: string, left: Evaluate, right: Evaluate): Evaluate {
  const direct = DIRECT_OPERATORS[operator];
  return (context) => {
    const a = left(context);
    const b = right(context);
    if (direct !== undefined && isPlain(a)) {
      if (isPlain(b)) return direct(a as string, b as string, context);
      if (b === BLANK && operator === '==') return isBlank(a);
      if (b === BLANK && operator === '!=') return !isBlank(a);
    }
    return finished((context.opts.operators[operator] as Operator)(a, b, context));
  };
}

/** Operators for non-object values. */
const DIRECT_OPERATORS: Readonly<Record<string, (a: string, b: string, context: Context) => boolean>> = {
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '>': (a, b) => a > b,
  '<': (a, b) => a < b,
  '>=': (a, b) => a >= b,
  '<=': (a, b) => a <= b,
  and: (a, b, context) => isTruthy(a, context) && isTruthy(b, context),
  or: (a, b, context) => isTruthy(a, context) || isTruthy(b, context),
};

/** The value of `blank` in a template; liquidjs does not export it. */
const BLANK = contentOf(new Value('blank', new Liquid()).initial.postfix[0]!);

/** Like `== blank` of the library, for non-object values. */
function isBlank(value: unknown): boolean {
  return value === false || value === null || value === undefined || (typeof value === 'string' && value.trim() === '');
}

/** Returns the value of a literal; undefined for other tokens. */
export function contentOf(token: Token): unknown {
  return 'content' in token ? token.content : undefined;
}

function isPlain(value: unknown): boolean {
  return value === null || (typeof value !== 'object' && typeof value !== 'function');
}

function filtered(value: Evaluate, filter: Filter): Evaluate {
  const { handler, token, liquid } = filter as unknown as { handler: FilterHandler; token: unknown; liquid: unknown };
  if (handler === filters.escape) return escaped(value, handler);
  const args = filter.args.map((argument) =>
    Array.isArray(argument) ? { name: argument[0], read: readerOf(argument[1]) } : { name: undefined, read: readerOf(argument) },
  );
  if (args.length === 0) return (context) => finished(handler.call({ context, token, liquid }, value(context)));
  return (context) => {
    const given = args.map(({ name, read }) => (name === undefined ? read(context) : [name, read(context)]));
    return finished(handler.call({ context, token, liquid }, value(context), ...given));
  };
}

/** Almost every output ends with `escape`, and most texts need no escaping. */
function escaped(value: Evaluate, escape: FilterHandler): Evaluate {
  return (context) => {
    const text = value(context);
    if (typeof text !== 'string' || SPECIAL.test(text)) return escape.call({ context }, text);
    context.memoryLimit.use(text.length);
    return text;
  };
}
