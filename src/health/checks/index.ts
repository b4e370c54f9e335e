export {
  checkBackup,
  checkCertificates,
  checkClock,
  checkIntegrity,
  checkLeftOut,
  checkPlugins,
  checkRestored,
  checkVersion,
  migrationState,
  sealedCheck,
} from './check-database.js';
export { checkDataFolder, checkSecretKeyFile } from './check-files.js';
export { checkPorts } from './check-ports.js';
export { broken, fine, translateFinding, warning, type HealthFinding } from './finding.js';
export { openReadOnly, type ReadOnlyDatabase } from './read-only-database.js';
