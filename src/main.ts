import './config/timezone.js';
import 'reflect-metadata';

import { startPanel } from './bootstrap.js';
import { errorMessage, rootLogger } from './common/index.js';
import { AppConfig, ConfigurationError } from './config/index.js';
import { closeOnSignal } from './graceful-shutdown.js';
import { announce } from './start-message.js';

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
