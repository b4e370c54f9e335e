/** An array twice as long that begins with what `array` holds. */
export function doubled<A extends Uint8Array | Uint16Array | Int32Array | Uint32Array | Float64Array>(array: A): A {
  const grown = new (array.constructor as new (length: number) => A)(array.length * 2);
  grown.set(array);
  return grown;
}
