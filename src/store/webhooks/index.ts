import './texts.js';

export { WebhookForm, WebhooksController } from './webhooks.controller.js';
export { Webhooks, WebhookSender } from './webhooks.js';
