/** Test secrets of the requests below. */
export const VECTOR_SECRETS = {
  platformSecret: 'PLATFORM-API-KEY',
  nodeSecret: 'ffeeddccbbaa99887766554433221100ffeeddccbbaa99887766554433221100',
} as const;
/** Unix time at which all of them were signed, in seconds. */
export const VECTOR_TIME = 1_795_228_338;
/** Nonce of {@link SIGNATURES}. */
export const VECTOR_NONCE = 'fa2c09a44889675baa6da634';

/** Signatures created with the programs that deployed agents use. */
export const SIGNATURES: readonly (readonly [act: string, body: string, signature: string])[] = [
  [
    'heartbeat',
    '{"node_id":"n1","node_secret":"xxx","status":"online","load":1.2}',
    '88a99f44210a01540df50777a2c7f90c85581b2f6453c65ff370375de17259d2',
  ],
  ['pull_task', '{}', '184e122b9e9288ada8cca9bf0ab505b0881dac64dcc5637a894dcf2443f5d978'],
  [
    'report_result',
    '{"task_id":"task_1","status":"success","result":{"message":"你好"},"error":""}',
    '56e5c25991d791d98a72fdf9faf9785759b2e5dc30a90949ca61be8e8c629874',
  ],
  ['get_config', '', 'e964549423f15f0fa1788e320b3949d77169a3f696174ff5c479561b14d33b0e'],
];

/** Node of {@link CAPTURED_REQUESTS}. */
export const CAPTURED_NODE = 'node_0123456789abcdef01234567';
/** Requests of a deployed agent, byte for byte, in their order, with the text of each answer. */
export const CAPTURED_REQUESTS: readonly (readonly [act: string, nonce: string, signature: string, body: string, msg: string])[] = [
  [
    'heartbeat',
    'fa2c09a44889675baa6da634',
    '98021d690a6af7ede8dc26ae2934f361e2ca32a6ed04e73966239578e1788916',
    '{"node_name":"节点A","version":"0.1.0","capabilities":["heartbeat","task","report","forbidden_scan","site_stats"]}',
    'heartbeat ok',
  ],
  ['get_config', '22cb7ea8ee7091d3af74121d', '6b7ff11de87efcfc4c3a717fd3c48efb00e4a589dd1fd450f1f2b1db05c0d927', '{}', 'config ok'],
  ['pull_task', '298c8daa485fbc105352217b', '60cc673b8deae02c2a120e0d61c3559cdabc70bfead9c56b0e0f398861f1689f', '{}', 'pull task ok'],
  [
    'report_result',
    '970374b1de7c132517c622ce',
    'fe97fc4f42a9174df29dbe98f24e8ca67a2a2d38dfbd289af9153eb462b85af9',
    '{"task_id":"task_1","status":"success","result":{"message":"pong","time":"2026-11-21 02:32:18"},"error":""}',
    '结果已接收',
  ],
];
