import fc from 'fast-check';

/** A change to a ZIP; positions are taken modulo the length. */
export type Mutation =
  | { kind: 'flip'; at: number; bit: number }
  | { kind: 'byte'; at: number; value: number }
  | { kind: 'cut'; at: number }
  | { kind: 'insert'; at: number; bytes: Uint8Array }
  | { kind: 'delete'; at: number; length: number }
  | { kind: 'splice'; from: number; length: number; to: number }
  | { kind: 'header'; header: number; field: number; width: 1 | 2 | 4; value: number; twice: boolean };

const place = fc.nat(0xffffff);
const value = fc.oneof(
  fc.constantFrom(0, 1, 2, 6, 8, 9, 12, 14, 20, 22, 46, 99, 0x7f, 0x800, 0x9901, 0x7fff, 0xffff, 0xa1ff0000, 0x7fffffff, 0xffffffff),
  fc.nat(0x1000),
  fc.nat(0xffffffff),
);

/** Bit flips, truncations, splices and header edits, up to four per ZIP. */
export const mutations: fc.Arbitrary<Mutation[]> = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('flip' as const), at: place, bit: fc.nat(7) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('byte' as const), at: place, value: fc.nat(255) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('cut' as const), at: place }) },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('insert' as const), at: place, bytes: fc.uint8Array({ minLength: 1, maxLength: 40 }) }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), at: place, length: fc.integer({ min: 1, max: 60 }) }) },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('splice' as const), from: place, length: fc.integer({ min: 1, max: 200 }), to: place }),
    },
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant('header' as const),
        header: place,
        field: fc.nat(60),
        width: fc.constantFrom(1 as const, 2 as const, 4 as const),
        value,
        twice: fc.boolean(),
      }),
    },
  ),
  { minLength: 1, maxLength: 4 },
);

/** Applies the changes to `zip` one after another. */
export function mutate(zip: Buffer, changes: readonly Mutation[]): Buffer {
  return changes.reduce((bytes, change) => (bytes.length === 0 ? bytes : apply(Buffer.from(bytes), change)), zip);
}

function apply(bytes: Buffer, change: Mutation): Buffer {
  const at = (position: number): number => position % bytes.length;
  switch (change.kind) {
    case 'flip':
      bytes[at(change.at)]! ^= 1 << change.bit;
      return bytes;
    case 'byte':
      bytes[at(change.at)] = change.value;
      return bytes;
    case 'cut':
      return bytes.subarray(0, at(change.at));
    case 'insert':
      return Buffer.concat([bytes.subarray(0, at(change.at)), change.bytes, bytes.subarray(at(change.at))]);
    case 'delete':
      return Buffer.concat([bytes.subarray(0, at(change.at)), bytes.subarray(at(change.at) + change.length)]);
    case 'splice':
      return Buffer.concat([
        bytes.subarray(0, at(change.to)),
        bytes.subarray(at(change.from), at(change.from) + change.length),
        bytes.subarray(at(change.to)),
      ]);
    case 'header':
      return editHeader(bytes, change);
  }
}

/** Sets a field of one header, or with `twice` the same field in the local and central header of an entry. */
function editHeader(bytes: Buffer, { header, field, width, value, twice }: Mutation & { kind: 'header' }): Buffer {
  const headers = [...bytes.toString('latin1').matchAll(/PK(?:\x01\x02|\x03\x04|\x05\x06|\x07\x08)/g)].map(({ index }) => index);
  const write = (at: number): void => {
    if (at + width <= bytes.length) bytes.writeUIntLE(value % 2 ** (8 * width), at, width);
  };
  if (headers.length === 0) return bytes;
  const first = headers[header % headers.length]!;
  write(first + field);
  const central = headers.filter((at) => bytes[at + 2] === 1);
  // From the flags to the sizes, fields of the central header are at the local offset plus two.
  if (twice && bytes[first + 2] === 3)
    write((central[headers.filter((at) => bytes[at + 2] === 3 && at < first).length] ?? first) + field + 2);
  return bytes;
}
