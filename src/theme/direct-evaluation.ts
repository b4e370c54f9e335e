import { Expression, Filter, Output, toValue, TypeGuards, Value, type Context, type Emitter, type Token } from 'liquidjs';

/**
 * liquidjs evaluates everything through generators, some ten for `{{ row.name }}`, because any value might be a promise. On a page that is rendered at once
 * none is: what is read is plain data and the filters answer directly. There, literals, paths of fixed names, operators and
 * filters are evaluated by plain calls; whatever else there is goes the library's own way. Templates take half the time so.
 *
 * Same answers either way: src/theme/direct-rendering.spec.ts renders every form both ways. Called once, by `renderDirectly`.
 */
export function evaluateDirectly(): void {
  Expression.prototype.evaluate = function (context, lenient) {
    const value = context.sync ? valueOf(this, context) : UNKNOWN;
    return value === UNKNOWN ? evaluate.call(this, context, lenient) : plain(value);
  };
  Filter.prototype.render = function (value, context) {
    const filter = this as unknown as { handler: (this: object, ...args: unknown[]) => unknown; liquid: unknown; token: unknown };
    const args = context.sync ? argumentsOf(this, context) : null;
    return args
      ? plain(filter.handler.apply({ context, token: filter.token, liquid: filter.liquid }, [value, ...args]))
      : filterOnce.call(this, value, context);
  };
  Value.prototype.value = function (context, lenient) {
    if (!context.sync) return filtered.call(this, context, lenient);
    let value: unknown = this.initial.evaluate(context, lenient);
    for (const filter of this.filters) {
      if (isUnfinished(value)) return filtered.call(this, context, lenient);
      value = filter.render(value, context);
    }
    return plain(value);
  };
  Output.prototype.render = function (context: Context, emitter: Emitter) {
    const value: unknown = context.sync ? this.value.value(context, false) : UNKNOWN;
    if (value === UNKNOWN || isUnfinished(value)) return write.call(this, context, emitter);
    return plain(emitter.write(toValue(value) as string));
  };
}

const evaluate = Expression.prototype.evaluate;
const filterOnce = Filter.prototype.render;
const filtered = Value.prototype.value;
const write = Output.prototype.render;

/** What only the library's own way can find out. */
export const UNKNOWN = Symbol('unknown');

/** liquidjs takes a plain value wherever it takes a generator. */
export const plain = (value: unknown): Generator<unknown, unknown, unknown> => value as Generator<unknown, unknown, unknown>;

/** Whether a value is still to be had: a generator or a promise. */
export function isUnfinished(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { next, then } = value as { next?: unknown; then?: unknown };
  return typeof next === 'function' || typeof then === 'function';
}

function valueOf(expression: Expression, context: Context): unknown {
  const { postfix } = expression;
  // Most expressions are one value.
  if (postfix.length === 1 && !TypeGuards.isOperatorToken(postfix[0])) return read(postfix[0], context);
  const operands: unknown[] = [];
  for (const token of postfix) {
    const value = TypeGuards.isOperatorToken(token) ? operate(token.operator, operands, context) : read(token, context);
    if (value === UNKNOWN) return UNKNOWN;
    operands.push(value);
  }
  return operands[0];
}

function operate(operator: string, operands: unknown[], context: Context): unknown {
  const last = operands.pop();
  const operation = context.opts.operators[operator] as (...operands: unknown[]) => unknown;
  const result = operator === 'not' ? operation(last, context) : operation(operands.pop(), last, context);
  return isUnfinished(result) ? UNKNOWN : result;
}

export function read(token: Token | undefined, context: Context): unknown {
  if (!token) return undefined;
  if ('content' in token) return token.content;
  if (!TypeGuards.isPropertyAccessToken(token) || token.variable || context.strictVariables) return UNKNOWN;
  const { props } = token;
  const first = props[0];
  if (!first || !('content' in first)) return UNKNOWN;
  const scopes = context as unknown as { findScope(name: unknown): object };
  let value: unknown = context.readProperty(scopes.findScope(first.content) as never, first.content as string);
  for (let i = 1; i < props.length; i += 1) {
    const property = props[i]!;
    if (!('content' in property) || isUnfinished(value)) return UNKNOWN;
    value = context.readProperty(value as never, property.content as string);
  }
  return isUnfinished(value) ? UNKNOWN : value;
}

function argumentsOf(filter: Filter, context: Context): unknown[] | null {
  const args: unknown[] = [];
  for (const argument of filter.args) {
    const value = Array.isArray(argument) ? read(argument[1], context) : read(argument, context);
    if (value === UNKNOWN) return null;
    args.push(Array.isArray(argument) ? [argument[0], value] : value);
  }
  return args;
}
