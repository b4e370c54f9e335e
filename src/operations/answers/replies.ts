import type { TextParams } from '../../common/index.js';

/** A success with a text: becomes `{"success":true,"qk":1,"code":text,"msg":text,"data":{…}}`, extras also at top level. */
export class SuccessReply {
  constructor(
    /** Key in the language files. */
    readonly text: string,
    /** Extras: stand at top level and under `data`. */
    readonly extras: Readonly<Record<string, unknown>> = {},
    /** Values for the places of the text, and of the operation's line in the log. */
    readonly params: TextParams = {},
    /** `Set-Cookie` lines and the like. */
    readonly headers: Readonly<Record<string, string | string[]>> = {},
  ) {}
}

/** A page of a list: becomes `{"total":N,"rows":[…]}`. */
export class ListReply<Row extends object = Record<string, unknown>> {
  constructor(
    readonly total: number,
    readonly rows: readonly Row[],
  ) {}
}

/** An answer whose shape the contract fixes otherwise: sent as JSON as it stands. */
export class RawReply {
  constructor(
    readonly body: object,
    /** `Set-Cookie` lines and the like. */
    readonly headers: Readonly<Record<string, string | string[]>> = {},
    /** Values for the places of the operation's line in the log. */
    readonly params: TextParams = {},
  ) {}
}

/** An answer that is a text and no JSON, such as what is in a file. */
export class TextReply {
  constructor(readonly body: string) {}
}

/** Return type of core operations. */
export type OperationReply = SuccessReply | ListReply | RawReply | TextReply;
