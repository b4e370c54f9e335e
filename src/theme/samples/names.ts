import { adminPage, lists, userPage, type SampleView } from './frame.js';

const dnsProvider = {
  id: 1,
  type: 'cloudflare',
  type_title: 'Cloudflare',
  help: '创建 API 令牌',
  problem: '',
  name: '我的域名',
  row_version: 'v',
  fields: [{ id: 'dns-token', name: 'cs[token]', type: 'password', required: true, label: '令牌', value: '', placeholder: '', hint: '' }],
};
/** Views of domain names and their DNS. */
export const NAMES_VIEWS: SampleView[] = [
  {
    side: 'admin',
    view: 'zones',
    vars: { ...adminPage, lists: lists('zones'), reserved: 'www mail', providers: [{ id: 1, name: 'Cloudflare' }], sells: true },
  },
  { side: 'admin', view: 'zones', vars: { ...adminPage, lists: lists('zones'), reserved: 'www mail', providers: [], sells: false } },
  {
    side: 'admin',
    view: 'dns',
    vars: { ...adminPage, lists: lists('dns-providers', 'dns-records'), kinds: [{ type: 'cloudflare', title: 'Cloudflare' }], sites: null },
  },
  {
    side: 'admin',
    view: 'dns',
    vars: {
      ...adminPage,
      lists: lists('dns-providers', 'dns-records'),
      kinds: [],
      sites: { domain: 'sites.example.com', provider_id: 1, providers: [{ id: 1, name: 'Cloudflare' }] },
    },
  },
  {
    side: 'user',
    view: 'dns-records',
    vars: { ...userPage, lists: lists('own-records'), domains: ['shop.example.com'], domain: 'shop.example.com', types: ['A', 'TXT'] },
  },
  { side: 'user', view: 'dns-records', vars: { ...userPage, lists: lists('own-records'), domains: [], domain: '', types: ['A', 'TXT'] } },
  { side: 'admin', view: 'dns-provider', vars: { ...adminPage, ...dnsProvider } },
  { side: 'admin', view: 'dns-provider', vars: { ...adminPage, ...dnsProvider, id: 0, fields: [], problem: '插件未启用' } },
  { side: 'admin', view: 'sold-names', vars: { ...adminPage, lists: lists('sold-names'), zone: 'example.com' } },
  {
    side: 'user',
    view: 'names',
    vars: {
      ...userPage,
      lists: lists('names'),
      able: true,
      buy: '/domain',
      zones: [{ id: 1, url: 'example.com', months: 12, description: '' }],
    },
  },
  { side: 'user', view: 'names', vars: { ...userPage, lists: lists('names'), able: true, buy: null, zones: [] } },
  { side: 'user', view: 'names', vars: { ...userPage, lists: lists('names'), able: false, buy: null, zones: [] } },
];
