import { compileFunction } from 'node:vm';

/**
 * Before a module's code: the function it is the body of, with what every CommonJS module finds. The parentheses have it compiled at once.
 */
const HEAD = 'return (function (exports, require, module, __filename, __dirname) {';

/** A module's code, ready to be called with what it finds around it. */
export type CommonJsCode = (exports: unknown, require: unknown, module: unknown, filename: string, dirname: string) => void;

/** Why code is no CommonJS module: it is an ES module, it awaits outside of functions as only those can, or it does not parse. */
export interface CodeProblem {
  readonly kind: 'es_module' | 'top_level_await' | 'syntax';
  /** From 1. */
  readonly line: number;
  /** What the engine says. */
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
 * Compiles a CommonJS module without running it. Nothing is kept, so that code can be loaded anew as often as one likes.
 *
 * @param file its name in errors and stacks
 * @param around values it finds in place of globals; it may still declare variables of these names itself
 * @throws CodeError where it is something else than CommonJS
 */
export function compileCommonJs(source: string, file: string, around: Readonly<Record<string, unknown>> = {}): CommonJsCode {
  try {
    const body = source.replace(/^\uFEFF/, '').replace(/^#!.*/, '');
    const wrapped = compileFunction(`${HEAD}${body}\n})`, Object.keys(around), { filename: file, columnOffset: -HEAD.length }) as (
      ...values: unknown[]
    ) => CommonJsCode;
    return wrapped(...Object.values(around));
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new CodeError(
      file,
      { kind: kindOf(error.message), line: lineOf(error.stack ?? '', file), reason: error.message.slice(0, 200) },
      { cause: error },
    );
  }
}

/** By the engine's own words: a parser of ours would know less of the language than the one that runs it. */
function kindOf(message: string): CodeProblem['kind'] {
  if (/import statement outside a module|Unexpected token 'export'|'import\.meta' outside a module/.test(message)) return 'es_module';
  return /await is only valid in async functions/.test(message) ? 'top_level_await' : 'syntax';
}

/** The first line of such a stack is `file:line`. */
function lineOf(stack: string, file: string): number {
  const first = stack.slice(0, stack.indexOf('\n'));
  return first.startsWith(`${file}:`) ? Number.parseInt(first.slice(file.length + 1), 10) || 1 : 1;
}

/** Whether code compiled here has called `import()`, which it cannot: Node has no way to unload what it would load. */
export function isDynamicImportError(error: unknown): boolean {
  return error instanceof Error && String((error as NodeJS.ErrnoException).code).startsWith('ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING');
}
