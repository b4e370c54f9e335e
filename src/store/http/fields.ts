/** Id of a row. */
export const ID = { type: 'integer', minimum: 1 } as const;
/** A count. */
export const COUNT = { type: 'integer', minimum: 0 } as const;
/** A time, ISO 8601 in UTC. */
export const TIME = { type: 'string', format: 'date-time' } as const;
/** SHA-256 in hexadecimal. */
export const SHA256 = { type: 'string', pattern: '^[0-9a-f]{64}$' } as const;
/** Version of the values a form shows. */
export const ROW_VERSION = {
  description: 'Send it with a change, so that changes made by others in the meantime are not overwritten',
} as const;
/** A file in a form. */
export const FILE = { type: 'string', contentMediaType: 'application/octet-stream' } as const;
/** An object with arbitrary content. */
export const ANY_OBJECT = { type: 'object', additionalProperties: true } as const;
