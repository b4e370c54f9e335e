import { fields, type FieldsOf, type Shape } from './shape.js';

type Fields = Readonly<Record<string, Shape<unknown>>>;

/** An action a server can be asked for. */
export interface Action<Args extends Fields = Fields, Result extends Fields = Fields> {
  /** Who does it there: `root`, or the system user of the site, who can do no harm but to itself. */
  readonly by: 'root' | 'site';
  /** Whether it is about one site, or about the whole server. */
  readonly of: 'site' | 'server';
  /** From the moment it is asked for to its end: what begins later is not begun, what ends later is not believed. */
  readonly seconds: number;
  /** A stream that comes with it: `in` to the server, which must be there wholly before anything is changed; `out` of it. */
  readonly body: { readonly to: 'server' | 'panel'; readonly most: number } | null;
  /** Arguments that are sealed to the node, and blanked in the row once it is done. */
  readonly secrets: readonly string[];
  readonly args: Shape<FieldsOf<Args>> & { readonly shapes: Args };
  readonly result: Shape<FieldsOf<Result>> & { readonly shapes: Result };
}

/** Seconds of an action somebody waits for. */
export const SHORT = 25;
/** Seconds of an action that reads or writes the whole of a site: its lease is extended meanwhile, with how far it is. */
export const LONG = 3_600;

type Traits<Args extends Fields, Result extends Fields> = Partial<Pick<Action, 'of' | 'seconds' | 'body'>> & {
  readonly secrets?: readonly (keyof Args & string)[];
  readonly args?: Args;
  readonly result?: Result;
};

function action<Args extends Fields, Result extends Fields>(by: Action['by'], given: Traits<Args, Result>): Action<Args, Result> {
  const { of = 'site', seconds = SHORT, body = null, secrets = [], args = {} as Args, result = {} as Result } = given;
  return { by, of, seconds, body, secrets, args: fields(args), result: fields(result) };
}

/** An action done by root. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- an action without arguments has none
export function asRoot<Args extends Fields = {}, Result extends Fields = {}>(given: Traits<Args, Result>): Action<Args, Result> {
  return action('root', given);
}

/** An action done by the system user of the site. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- as above
export function asSite<Args extends Fields = {}, Result extends Fields = {}>(given: Traits<Args, Result>): Action<Args, Result> {
  return action('site', given);
}
