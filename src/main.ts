import './config/timezone.js';
import { whileLoading, whileServing } from './app/v8-flags.js';
import { keepCompiled, writeCompiled } from './common/compile-cache.js';

/**
 * Delay after the start before the compile cache is written and memory that only loading needed is released, in milliseconds. Both block
 * the process for 0.1 to 0.3 seconds.
 */
const CLEAR_AFTER_MS = 400;

keepCompiled();
whileLoading();
await import('reflect-metadata');
const { announce, closeOnSignal, startPanel } = await import('./app/index.js');
const { errorMessage, rootLogger } = await import('./common/index.js');
const { AppConfig, ConfigurationError } = await import('./config/index.js');
const { ServedAlready } = await import('./database/index.js');

try {
  const config = new AppConfig();
  if (!config.runs('panel') && !config.runs('store')) {
    throw new ConfigurationError(['SERVICES must contain "panel" or "store": a worker belongs to one of them, for example "panel,worker"']);
  }
  const panel = await startPanel(config);
  closeOnSignal(panel, config);
  announce(config, panel);
  // Delayed, so that clients that waited for the start are answered first.
  setTimeout(() => {
    writeCompiled();
    whileServing();
  }, CLEAR_AFTER_MS).unref();
} catch (error) {
  if (!(error instanceof ConfigurationError || error instanceof ServedAlready)) rootLogger.fatal({ err: error }, 'the panel did not start');
  process.stderr.write(`\n${errorMessage(error)}\n`);
  process.exit(1);
}
