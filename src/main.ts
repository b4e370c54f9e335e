import './config/timezone.js';
import 'reflect-metadata';

import { announce, closeOnSignal, startPanel } from './app/index.js';
import { errorMessage, rootLogger } from './common/index.js';
import { AppConfig, ConfigurationError } from './config/index.js';

try {
  const config = new AppConfig();
  if (!config.runs('panel') && !config.runs('store')) {
    throw new ConfigurationError(['SERVICES must name "panel" or "store": a worker is part of one of them, such as "panel,worker"']);
  }
  const panel = await startPanel(config);
  closeOnSignal(panel, config);
  announce(config, panel);
} catch (error) {
  if (!(error instanceof ConfigurationError)) rootLogger.fatal({ err: error }, 'the panel did not start');
  process.stderr.write(`\n${errorMessage(error)}\n`);
  process.exit(1);
}
