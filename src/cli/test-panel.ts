import '../config/timezone.js';
import 'reflect-metadata';

export { startTestPanel } from './test-kit/in-process-panel.js';
