export { ChannelError } from './channel-error.js';
export { ChannelKinds } from './channel-kinds.js';
export { AdminChannelOperations, UserChannelOperations } from './channel.operations.js';
export { ChannelPages } from './channel.pages.js';
export { Channels, type ChannelOwner } from './channels.js';
export { pluginChannel } from './plugin-channel.js';
