import { section, type Requirement } from './requirement.ts'

const periods = 'second, minute, hour, day, week, month (30 days rolling)'

const fields = section('Query key (entry of the create request)', 3, {
  'query-key-name': 'name: string, label of the query key',
  'query-key-type': 'type: string, a kind of key; freeRPC is one',
  'query-key-endpoint': 'endpoint: string, the name of the endpoint the key is for',
  'query-key-rate-limit': 'rateLimit: number, count of requests allowed per rateLimitPeriod',
  'query-key-rate-limit-period': 'rateLimitPeriod: string, a period unit; minute is one',
  'query-key-credits-limit': 'creditsLimit: number, credits allowed per creditsLimitPeriod',
  'query-key-credits-limit-period': 'creditsLimitPeriod: string, a period unit; hour is one',
  'query-key-known-types': {
    text: 'complete list of values of type: not shown',
    decided: 'an open list kept by the operator, default freeRPC; unknown is a 422 that names the known ones',
  },
  'query-key-known-endpoints': {
    text: 'complete list of values of endpoint: not shown',
    decided: 'the configured endpoints; unknown is a 422 that names them',
  },
  'query-key-period-units': { text: 'complete list of period units: not shown', decided: periods },
  'query-key-required-fields': {
    text: 'which fields are required: not shown',
    decided:
      'name and endpoint; each limit together with its period, or neither, which means the default of the installation; unknown fields are a 422',
  },
})

const endpoints = section('Account API', 3, {
  'create-query-keys-path': 'POST /account/create-api-keys with Content-Type: application/json',
  'create-query-keys-body': 'its body is a JSON array of query key objects',
  'create-query-keys-bearer': 'it carries Authorization: Bearer <API_KEY>',
  'create-query-keys-permission': 'it needs the Token Create permission',
  'create-query-keys-answer': {
    text: 'response body of the create request: not shown',
    decided:
      '201, an array in the order of the request with id, key, name, type, endpoint, url, the limits and periods, enabled, createdAt',
  },
  'create-query-keys-all-or-nothing': {
    text: 'what happens to the others when one entry is bad: not shown',
    decided: '1 to 100 entries, all or none; errors point at the element: [2].rateLimit',
  },
  'create-query-keys-idempotency': {
    text: 'repeating a create request: not shown',
    decided: 'Idempotency-Key is honoured for 24 h: same body same answer, other body 409',
  },
  'statistics-keys-path': 'GET /account/statistics/keys without body: usage statistics per key',
  'statistics-methods-path': 'GET /account/statistics/methods without body: usage statistics per method',
  'statistics-bearer': 'both carry Authorization: Bearer <API_KEY>',
  'statistics-permission': 'both are covered by the Statistics Read permission',
  'statistics-parameters': {
    text: 'query parameters of the statistics: not shown',
    decided:
      'from, to, granularity (total, hour, day), keyId, endpoint, method, limit, cursor; default the last 30 days',
  },
  'statistics-answer': {
    text: 'response body of the statistics: not shown',
    decided:
      'from, to, granularity, asOf, items with requests, credits, outcomes, bytes and latencies, totals, nextCursor; a call just made is in it',
  },
  'statistics-own-keys-only': {
    text: 'whose keys the statistics show: not shown',
    decided: 'those of the account of the API key; ids of others are 404',
  },
})

const limits = [
  ...section('What the service does', 3, {
    'query-keys-give-access': 'query keys are used for blockchain access, with rate and credit limits',
  }),
  ...section('Limits', 3, {
    'rate-limit-enforced': 'rateLimit per rateLimitPeriod holds for each query key as set at creation',
    'credits-limit-enforced':
      'creditsLimit per creditsLimitPeriod holds for each query key as set at creation',
    'rate-limit-bounds': {
      text: 'numeric bounds of rateLimit: not shown',
      decided: 'an integer of at least 1; never more than that many requests in any interval of the period',
    },
    'credits-limit-bounds': {
      text: 'numeric bounds of creditsLimit: not shown',
      decided: 'more than 0; never more than that many credits in any interval of the period',
    },
    'limit-refusal': {
      text: 'response to a query key above its limit: not shown',
      decided:
        '429 with JSON-RPC error -32005 and the call id, RateLimit headers and a Retry-After that holds true',
    },
  }),
  ...section('Versioning', 3, {
    'account-api-versioning': {
      text: 'versioning scheme of the account API, and deprecation rules: not shown',
      decided:
        'the paths of the specification stay; fields are only added; the OpenAPI document carries the version',
    },
  }),
]

export const queryKeyRequirements: Requirement[] = [...fields, ...endpoints, ...limits]
