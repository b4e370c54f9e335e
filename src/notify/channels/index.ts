export { ChannelError } from './channel-error.js';
export { ChannelOperations } from './channel.operations.js';
export { ChannelPages } from './channel.pages.js';
export { Channels, type ChannelOwner } from './channels.js';
export type { ChannelMessage } from './notification-channel.js';
