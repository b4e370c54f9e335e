import { compileFunction } from 'node:vm';

/**
 * Opens the function around a module's code, with the variables of a CommonJS module. The parenthesis makes the engine compile it eagerly.
 */
const HEAD = 'return (function (exports, require, module, __filename, __dirname) {';

/** A compiled module, to be called with its module variables. */
export type CommonJsCode = (exports: unknown, require: unknown, module: unknown, filename: string, dirname: string) => void;

/** Why code is not a CommonJS module: it is an ES module, it uses top-level await, or it does not parse. */
export interface CodeProblem {
  readonly kind: 'es_module' | 'top_level_await' | 'syntax';
  /** Line number, from 1. */
  readonly line: number;
  /** The engine's message. */
  readonly reason: string;
}

/** Code that does not compile; {@link CodeError.problem} says why. */
export class CodeError extends Error {
  constructor(
    readonly file: string,
    readonly problem: CodeProblem,
    options?: ErrorOptions,
  ) {
    super(`${file}:${problem.line}: ${problem.reason}`, options);
    this.name = 'CodeError';
  }
}

/**
 * Compiles a CommonJS module without running it. Nothing is cached, so code can be reloaded any number of times.
 *
 * @param file its name in errors and stack traces
 * @param scope values visible in place of globals; the code may redeclare these names
 * @throws CodeError if the code is not CommonJS
 */
export function compileCommonJs(source: string, file: string, scope: Readonly<Record<string, unknown>> = {}): CommonJsCode {
  try {
    const body = source.replace(/^\uFEFF/, '').replace(/^#!.*/, '');
    const wrapped = compileFunction(`${HEAD}${body}\n})`, Object.keys(scope), { filename: file, columnOffset: -HEAD.length }) as (
      ...values: unknown[]
    ) => CommonJsCode;
    return wrapped(...Object.values(scope));
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new CodeError(
      file,
      { kind: kindOf(error.message), line: lineOf(error.stack ?? '', file), reason: error.message.slice(0, 200) },
      { cause: error },
    );
  }
}

/** Classifies by the engine's message, because a parser of our own would know less of the language than the engine. */
function kindOf(message: string): CodeProblem['kind'] {
  if (/import statement outside a module|Unexpected token 'export'|'import\.meta' outside a module/.test(message)) return 'es_module';
  return /await is only valid in async functions/.test(message) ? 'top_level_await' : 'syntax';
}

/** The first line of the stack of a syntax error is `file:line`. */
function lineOf(stack: string, file: string): number {
  const first = stack.slice(0, stack.indexOf('\n'));
  return first.startsWith(`${file}:`) ? Number.parseInt(first.slice(file.length + 1), 10) || 1 : 1;
}

/** Returns whether code compiled here called `import()`, which is unsupported because Node cannot unload what it would load. */
export function isDynamicImportError(error: unknown): boolean {
  return error instanceof Error && String((error as NodeJS.ErrnoException).code).startsWith('ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING');
}
