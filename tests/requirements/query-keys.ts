import { type Decisions, section, type Requirement } from './requirement.ts'

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

export const queryKeyDecisions: Decisions = {
  'When Redis loses its data and a process dies at once':
    ', nobody knows what that process had admitted: the limits of keys answer 503 with the true wait until it is known, or cannot count any more. Limits of a day or longer open after an hour: rather one interval that may hold too much than a month without service.',
  "A query key's type":
    "is a name from the file's `queryKeyTypes`, which starts with `freeRPC`; it carries no behaviour of its own. Periods are `second`, `minute`, `hour`, `day`, `week` and `month`, which is 30 days, not a calendar month.",
  'Limits that are left out':
    'when a key is made are those of `queryKeyDefaults` at that moment; without them the key has none. Allowed IPs, allowed domains, an expiration, allowed methods and allowed contracts are additions to the fields of the specification; a body without them makes a key without restrictions.',
  '`Idempotency-Key`': 'is honoured for 24 hours: the same body gets the same answer, another one a 409.',
  'A price':
    "is the endpoint's for that method, else the file's, else the endpoint's default, else the file's, else the built-in one: 20 credits, 60 for a call that searches many blocks or accounts, 100 for one that runs transactions again. A JSON-RPC error that is about the call is an answer and costs; a call that no upstream answered, or only with words about itself (a broken node, a wrong credential, a limit), gives its credits back. However many upstreams were asked, a call costs once.",
  'JSON-RPC errors of the relay':
    ": a limit 429 with `-32005` and `data.reason` (`rate` or `credits`), a wrong key 401, a restriction 403, a method that the endpoint does not offer 200 with `-32601` and `data.reason` (`method_not_offered`, `method_controls_node`, `method_uses_node_keys`, `method_unknown`), a batch that can never fit its key's limit 413, a lost limit store 503, upstreams 502 or 504, upstreams that all limit us 503 with `upstream_limited` and their `Retry-After`. A request of notifications only is a 204.",
  'A budget of an upstream':
    'is exact in one process. Several learn each second what the others have spent, so that together they may send what the others send in a second beyond it, and a kill forgets what was spent in its last second. To reserve parts of it in advance would be exact, and leave what an idle process holds unused, which is worse for a quota that was paid for.',
  'The newest block':
    'is never lifted beyond what verifiers agree on where they watch three providers of the chain, not even by the first answer of a node. With fewer, the higher of two nodes is believed at the start, because one that is stuck or catching up is far more common than one that lies.',
  'A block that follows the newest one closely':
    'is asked of other nodes before its caller is told `null`, while the next one is due: a contract may have returned its number in an answer that nothing else can be read from. Anything further on is `null` at once.',
  'A request that is made for several equal calls':
    'is told in the request log of each of them, marked as shared with those that waited; in statistics of upstreams, which are kept by key for two days, it counts once, for the first.',
  'Compressed bodies':
    'of REST calls are taken as those of JSON-RPC are (gzip, br, zstd; the bound holds for both lengths), and sent on plain, because few nodes take them otherwise.',
  'Days of the usage page':
    'are those of the reader, which are added up from hours; beyond the 90 days for which hours are kept they are those of UTC, and the page says whose they are. An address with dates in it shows each reader their own days.',
  'Node control and key use':
    "(`admin_*`, `anvil_*`, `eth_accounts`, `eth_sendTransaction`, `stop`, `dumpprivkey`, …) are relayed only where the endpoint's `methods.allow` names the method in full: whoever wrote a pattern cannot have looked at every method that it matches.",
  'Allowed contracts of a query key':
    'are a wall for every call: where a method names contracts, all of them must be in the list; methods that name none (heads, blocks, receipts, balances) pass; any other method, state overrides and the creation of contracts are refused, because nobody could say what they reach. Parameters are sent on as they were understood.',
  'A method that no table knows is refused':
    'unless `methods.allow` names it or `methods.unknown` is `allow`. Then it counts as a write: it is neither sent twice nor shared.',
  'What a node says is an answer':
    'only if it is about the call. The statuses 401, 402, 403, 407 and 5xx, texts about credentials, plans and quotas, and `-32603` without an outcome of the virtual machine speak against the node (but for 500 of Bitcoin Core and Lotus, whose body decides), 429 and its like are limits, a block that a node does not have or a method that it does not offer are asked of another one. Errors that no table knows are asked elsewhere, too, and are the answer where nobody knows better. Words that the call itself holds never speak against a node.',
  'Links that a node makes of its own address':
    'become links to the endpoint of the relay, with the public URL (without one, the Host by which the caller asks) and without a key that came in a header, so that they can be followed with the same limits and counts. Parameters of the upstream are left out of them; everything else of its host and its secrets becomes `…`, in answers of any status that are JSON or text, in events of streams and in what is kept. Words of its path such as `blockchain` and names such as `cosmoshub-4` stay in results, because they are data there, and so does a host such as `localhost` or `lighthouse` without its port or `//`. Bytes (SSZ, Protobuf) are left alone.',
  'At an endpoint of paths an error in JSON with 500 or 501':
    'may be about the node or about the call (grpc-gateway answers 500 to what a contract refuses, CometBFT to every mistake). A read is asked of other nodes first; where none does better, the last of these errors is the answer, without what is secret of its node. It is charged once, like a 404, and opens no circuit breaker, because it is the call at which all fail.',
  'A call that may change something':
    'is sent to another upstream only if the first one did nothing with it: it could not be reached, or refused it for a limit, a credential or the method. An answer that is too large is not asked for again.',
  'WebSockets close':
    'with 1008 when their key stops working (within a second), 1009 for large messages, 1013 when there are too many, 1001 when the server stops; a caller that reads too slowly is cut off.',
  'While the database is away':
    'a process goes on with the query keys it knows for five minutes after it was last in step, which is longer than a failover takes, and then answers 503. A change says `propagated: true` only when every process has confirmed it or can have gone on no longer; API keys refuse at once when cut off.',
  'Owners may choose "no limit"':
    'where the installation has defaults: a default is not a cap. The plan of the account is one: no limit means up to it.',
  'A plan':
    "is declared in the file (`plans`) or made by operators (`POST /admin/plans`, `gatehouse plans add`), and assigned to an account; under one name the file wins. New accounts get the one of `signUp.plan`, operators none, and accounts without one have the caps of the installation alone. Who wants caps for one account makes a plan for it: caps of its own beside those of its plan would be a second place to look at whenever a call is refused. `queryKeyTypes` stay names that keys carry, without terms. A key's limit fits when it never lets more than `keyMost` through in any interval of its period, so that `101/hour` does not fit `100/minute`. The sum over all keys (`totalMost`) is counted in the same step as the key's own limits: a refusal charges neither, and says in `data.scope` whose limit it was. A lowered plan deletes nothing: keys go on up to it. The file is refused while it lacks a plan that accounts have, and a plan of operators is not deleted while accounts have it.",
  'The limits of a key that is deleted and made again':
    ', or whose period is changed, begin anew: only `totalMost` bounds what an account uses whatever its owner does.',
  'Answers over 12 kB have no Content-Length':
    ': Bun would send each of their headers as a packet of its own (oven-sh/bun#41341).',
  'A service that an endpoint uses':
    'is neither removed nor put on another chain, nor moved to another host while the file gives a `ws` address on it: the next start would refuse the file.',
  'Usage is kept':
    'by hour for 90 days and by day for two years; percentiles are within 10 %, from a histogram.',
  'Endpoints of the file win':
    'over those of the console with the same name, with a warning. Upstream addresses are sealed in the database like secrets, because they often hold one.',
}
