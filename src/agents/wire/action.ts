import { fields, type FieldsOf, type Shape } from './shape.js';

type Fields = Readonly<Record<string, Shape<unknown>>>;

/** An action a server supports. */
export interface Action<Args extends Fields = Fields, Result extends Fields = Fields> {
  /** Executed by `root`, or by the site's system user, which limits possible damage to the site. */
  readonly by: 'root' | 'site';
  /** Concerns one site or the whole server. */
  readonly of: 'site' | 'server';
  /** Time limit in seconds from the request to the end: the agent starts nothing later, and later results are ignored. */
  readonly seconds: number;
  /** Body of the action: to the `server`, where it must be complete before anything is changed, or to the `panel`. */
  readonly body: { readonly to: 'server' | 'panel'; readonly most: number } | null;
  /** Arguments that are sealed to the node and removed from the row afterwards. */
  readonly secrets: readonly string[];
  readonly args: Shape<FieldsOf<Args>> & { readonly shapes: Args };
  readonly result: Shape<FieldsOf<Result>> & { readonly shapes: Result };
}

/** Time limit of an action a user waits for, in seconds. */
export const SHORT = 25;
/** Time limit of an action that processes a whole site, in seconds; its lease is renewed with its progress. */
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

/** Declares an action executed by root. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- an action without arguments has none
export function asRoot<Args extends Fields = {}, Result extends Fields = {}>(given: Traits<Args, Result>): Action<Args, Result> {
  return action('root', given);
}

/** Declares an action executed by the site's system user. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- as above
export function asSite<Args extends Fields = {}, Result extends Fields = {}>(given: Traits<Args, Result>): Action<Args, Result> {
  return action('site', given);
}
