/**
 * Replaces the panel's driver modules that its file code imports when the agent is bundled: the errors, plus the parsing of rewrite rules
 * and the list of private files, which are the same on every server.
 */
export * from '../../../../src/hosting/driver/ports/files.js';
export * from '../../../../src/hosting/driver/ports/port-problem.js';
export * from '../../../../src/hosting/driver/ports/private-names.js';
export * from '../../../../src/hosting/driver/ports/rewrite-rules.js';
export * from '../../../../src/hosting/driver/ports/rewrites.js';
