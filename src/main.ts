import './config/timezone.js';
import 'reflect-metadata';

import { startPanel } from './bootstrap.js';
import { errorMessage, rootLogger } from './common/index.js';
import { AppConfig, ConfigurationError } from './config/index.js';
import { closeOnSignal } from './graceful-shutdown.js';
import { announce } from './start-message.js';

try {
  const config = new AppConfig();
  if (!config.runs('panel')) {
    throw new ConfigurationError(['SERVICES must name "panel": the store and a worker without a panel come with a later version']);
  }
  const panel = await startPanel(config);
  closeOnSignal(panel);
  announce(config, panel);
} catch (error) {
  if (!(error instanceof ConfigurationError)) rootLogger.fatal({ err: error }, 'the panel did not start');
  process.stderr.write(`\n${errorMessage(error)}\n`);
  process.exit(1);
}
