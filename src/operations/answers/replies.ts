import type { TextParams } from '../../common/index.js';

/** A success with a message: becomes `{"success":true,"qk":1,"code":text,"msg":text,"data":{…}}`; extras also at top level. */
export class SuccessReply {
  constructor(
    /** Key in the language files. */
    readonly text: string,
    /** Additional fields, at top level and under `data`. */
    readonly extras: Readonly<Record<string, unknown>> = {},
    /** Values for the placeholders of the message and of the operation's log line. */
    readonly params: TextParams = {},
    /** Additional headers, such as `Set-Cookie`. */
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

/** An answer with its own documented shape: sent as JSON unchanged. */
export class RawReply {
  constructor(
    readonly body: object,
    /** Additional headers, such as `Set-Cookie`. */
    readonly headers: Readonly<Record<string, string | string[]>> = {},
    /** Values for the placeholders of the operation's log line. */
    readonly params: TextParams = {},
  ) {}
}

/** A plain-text answer, such as the content of a file. */
export class TextReply {
  constructor(readonly body: string) {}
}

/** Return type of core operations. */
export type OperationReply = SuccessReply | ListReply | RawReply | TextReply;
