import './config/timezone.js';
import { whileLoading, whileServing } from './app/v8-flags.js';
import { keepCompiled, writeCompiled } from './common/compile-cache.js';

/**
 * How long after the start what was compiled is written down and the memory is cleared of what only loading needed, in milliseconds: one to
 * three tenths of a second, in which nothing is answered.
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
    throw new ConfigurationError(['SERVICES must name "panel" or "store": a worker is part of one of them, such as "panel,worker"']);
  }
  const panel = await startPanel(config);
  closeOnSignal(panel, config);
  announce(config, panel);
  // Whoever waited for the start is answered first.
  setTimeout(() => {
    writeCompiled();
    whileServing();
  }, CLEAR_AFTER_MS).unref();
} catch (error) {
  if (!(error instanceof ConfigurationError || error instanceof ServedAlready)) rootLogger.fatal({ err: error }, 'the panel did not start');
  process.stderr.write(`\n${errorMessage(error)}\n`);
  process.exit(1);
}
