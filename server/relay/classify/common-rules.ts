import type { ErrorRules } from './error-rules.ts'

const erpc = 'eRPC, architecture/evm/error_normalizer.go'
const nodecore = 'nodecore, pkg/errors_config/errors.yaml'

/** What providers and proxies in front of nodes of any family write. */
export const providerRules: readonly ErrorRules[] = [
  {
    class: 'unsupported',
    source: erpc,
    texts: [
      'unsupported method',
      'method is not whitelisted',
      'not allowed to access method',
      'is not included in your current plan',
    ],
    patterns: [/(?:method|module)\b.*(?:not found|does not exist|not available|is disabled)/],
  },
  {
    class: 'unsupported',
    source: nodecore,
    texts: ['method is not allowed', 'no response for method', 'txpool disabled', 'is currently disabled'],
    patterns: [/method \w+ (?:is )?not supported/, /no backends available for method/],
  },
  { class: 'unsupported', source: 'Anvil 1.4, Hardhat 2.26', patterns: [/^not implemented\b/] },
  {
    class: 'node-failure',
    source: `${erpc}: authentication`,
    texts: ['not allowed to access', 'invalid api key', 'key is inactive', 'unauthorized'],
  },
  {
    class: 'node-failure',
    source: 'Alchemy, Infura and Conduit (eRPC, thirdparty)',
    texts: ['be authenticated', 'access key', 'api key'],
  },
  { class: 'node-failure', source: 'BlockPI (eRPC, thirdparty)', texts: ['apikey is on another chain'] },
  { class: 'node-failure', source: 'dRPC (eRPC, thirdparty)', texts: ['token is invalid'] },
  {
    class: 'node-failure',
    source: 'Infura, error codes of its documentation',
    texts: ['project id', 'project disabled'],
  },
  {
    class: 'node-failure',
    source: `${erpc}: plans and billing`,
    texts: [
      'reached the free tier',
      'monthly capacity limit',
      'limit for your current plan',
      '/billing',
      'exceeded the quota',
      'reached the quota',
    ],
  },
  {
    class: 'node-failure',
    source: nodecore,
    texts: [
      'upgrade your plan',
      'upgrade to paid',
      'upgrade from discover plan',
      'no response or no available upstream',
      'upstream unavailable',
      'upstream is not available',
      'failed to proxy request',
      'remote status code',
      'connection refused',
      'connection reset',
      'connection timed out',
      'prematurely closed',
      'pending acquire queue has reached',
      'pool#acquire',
      'no available nodes found',
      'scheduler unavailable',
      'server shutting down',
      'internal server error',
      '502 bad gateway',
      '503 service unavailable',
      '504 gateway timeout',
      '<html>',
      '<!doctype html',
      "invalid character '<'",
      'invalid json response',
      'panic recovery',
    ],
  },
  {
    class: 'node-failure',
    source: 'nodes that catch up (go-ethereum, Erigon, Besu)',
    texts: ['node is syncing', 'still syncing', 'currently syncing', 'node is not synced', 'is not ready'],
  },
  { class: 'node-failure', source: 'pgbouncer and pools of nodes in Java', texts: ['connection pool'] },
]

export const limitRules: readonly ErrorRules[] = [
  {
    class: 'limit',
    source: erpc,
    texts: [
      'requests limited to',
      'has exceeded',
      'too many requests',
      'under too much load',
      'request limit reached',
      'no server available',
      'upgrade your tier',
    ],
    patterns: [/rate[ -]?limit/, /(?<!gas )limit exceeded/],
  },
  {
    class: 'limit',
    source: nodecore,
    texts: [
      'requests per second capacity',
      'concurrent requests capacity',
      'maximum qps limit',
      'maximum cups limit',
      'not enough cups',
      'maximum api usage limit',
      'credits limited to',
      'code = resourceexhausted',
    ],
  },
  { class: 'limit', source: 'Alchemy, error reference', texts: ['compute units per second'] },
  { class: 'limit', source: 'Infura, error codes', texts: ['daily request count exceeded'] },
  {
    class: 'limit',
    source: 'Cloudflare before LlamaNodes (eRPC, thirdparty/llama.go)',
    texts: ['code: 1015'],
  },
  {
    class: 'limit',
    source: 'eRPC, architecture/svm/error_normalizer.go',
    texts: ['requests per second', 'throttled'],
  },
  { class: 'limit', source: 'jsonrpsee 0.24 and others', texts: ['server is busy', 'overloaded'] },
  { class: 'limit', source: 'providers that write the status as a code', codes: [429] },
]

/** The codes of JSON-RPC 2.0 itself, for errors whose text nobody knows. */
export const standardCodes: readonly ErrorRules[] = [
  { class: 'unsupported', source: 'JSON-RPC 2.0: method not found', codes: [-32_601] },
  { class: 'answer', source: 'JSON-RPC 2.0: invalid params, invalid request', codes: [-32_602, -32_600] },
  { class: 'call-failure', source: 'JSON-RPC 2.0: parse error, of a request that is JSON', codes: [-32_700] },
]
