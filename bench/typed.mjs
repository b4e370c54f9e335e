/** Functions whose results have the type that a bench knows, where that of the library is wider. */

/** The port on which a server listens. @param {import('node:net').Server} server */
export const portOf = (server) => /** @type {import('node:net').AddressInfo} */ (server.address()).port;

/** The content of a JSON answer. @param {Response} response @returns {Promise<any>} */
export const jsonOf = (response) => response.json();

/** Rows of a query of mysql2. @returns {Promise<import('mysql2').RowDataPacket[]>} */
export const rowsOf = async (connection, sql, values) => (await connection.query(sql, values))[0];

/** Number of rows that a statement of mysql2 changed. @returns {Promise<number>} */
export const changedBy = async (connection, sql, values) => (await connection.query(sql, values))[0].affectedRows;

/**
 * An object with only those members of a class or interface that are used.
 * @template T
 * @param {Partial<NoInfer<T>>} members
 */
export const standIn = (members) => /** @type {T} */ (members);
