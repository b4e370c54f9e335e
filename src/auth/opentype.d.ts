/** Types for the parts of opentype.js used here. Its types on DefinitelyTyped require browser types, which conflict with Node's. */
declare module 'opentype.js' {
  /** In the units and axes of the font's drawing: y points down. */
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
    /** Returns the outlines of a text whose baseline begins at (x, y). */
    getPath(text: string, x: number, y: number, size: number): { readonly commands: readonly PathCommand[] };
  }

  const opentype: {
    /** Parses a TTF, OTF or WOFF file. @throws Error for anything else */
    parse(file: ArrayBufferLike): Font;
  };
  export default opentype;
}
