/**
 * What the panel's code for files of sites needs of its drivers: what it refuses with. Put in place of all of
 * them when the agent is bundled. And how rewrite rules are read and what is never sent,
 * which are the same on every server.
 */
export * from '../../../../src/hosting/driver/ports/files.js';
export * from '../../../../src/hosting/driver/ports/port-problem.js';
export * from '../../../../src/hosting/driver/ports/private-names.js';
export * from '../../../../src/hosting/driver/ports/rewrite-rules.js';
export * from '../../../../src/hosting/driver/ports/rewrites.js';
