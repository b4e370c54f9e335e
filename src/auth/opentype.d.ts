/** The little of opentype.js that is used here. Its types on DefinitelyTyped pull in those of browsers, which differ from Node's. */
declare module 'opentype.js' {
  /** Units and axes of the font's drawing: y points down. */
  export type PathCommand =
    | { readonly type: 'M' | 'L'; readonly x: number; readonly y: number }
    | { readonly type: 'Q'; readonly x: number; readonly y: number; readonly x1: number; readonly y1: number }
    | {
        readonly type: 'C';
        readonly x: number;
        readonly y: number;
        readonly x1: number;
        readonly y1: number;
        readonly x2: number;
        readonly y2: number;
      }
    | { readonly type: 'Z' };

  export interface Font {
    /** The outlines of a text whose base line begins at (x, y). */
    getPath(text: string, x: number, y: number, size: number): { readonly commands: readonly PathCommand[] };
  }

  const opentype: {
    /** Reads a TTF, OTF or WOFF file. @throws Error for anything else */
    parse(file: ArrayBufferLike): Font;
  };
  export default opentype;
}
