// @ts-check
import { sayWhatWaits } from './feedback.js';

sayWhatWaits();
