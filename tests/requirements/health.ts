import { type Decisions, section, type Requirement } from './requirement.ts'

const resources = [
  ...section('HealthResponse', 1, {
    'health-response-result':
      'the body of a success is an object with the required field result, a HealthResult',
  }),
  ...section('HealthResult', 1, {
    'health-result-service-id': 'serviceId: required string, echoes the requested service identifier',
    'health-result-decision': 'decision: required, one of the Decision values',
    'health-result-live-verifiers':
      'liveVerifiers: required int32, minimum 0, number of verifiers currently reporting',
    'health-result-avg-blocks-latency':
      'avgBlocksLatency: required int64, minimum 0, average block lag in blocks',
    'health-result-avg-time-latency':
      'avgTimeLatency: required int64, minimum 0, average time lag in seconds',
    'health-result-timestamp': 'timestamp: required int64, Unix timestamp in seconds',
    'health-live-verifiers-meaning': {
      text: 'when a verifier counts as currently reporting: not shown',
      decided:
        'distinct verifiers that are not ejected and whose latest report is no older than freshMs (3 intervals and 2 s); failing probes count',
    },
    'health-averages-meaning': {
      text: 'how the averages are formed: not shown',
      decided:
        'trimmed mean over the reports with an answer, rounded, between 0 and 2^53-1; 0 when nobody answered or the decision is UNKNOWN',
    },
    'health-timestamp-meaning': {
      text: 'the instant that timestamp names: not shown',
      decided: 'the second in which the decision was evaluated',
    },
  }),
  ...section('Decision', 1, {
    'health-decision-values': 'the values are exactly UNKNOWN, UP, DOWN, LATENCY',
  }),
  ...section('ErrorResponse / ErrorDetail', 1, {
    'error-response-shape': 'the body of a refusal is an object with the required field error',
    'error-detail-code': 'error.code is a required string',
    'error-detail-message': 'error.message is a required string',
  }),
]

const transitions = section('States and transitions', 1, {
  'health-raw-decision': {
    text: 'the conditions that give each decision value: not shown',
    decided:
      'each live verifier votes BAD (no answer, fatal reason, lag above 20 thresholds), LAG (lag above the threshold) or OK; the lower median is the raw decision, ties go to the milder state',
  },
  'health-reference-head': {
    text: 'what lag is measured against: not shown',
    decided:
      'the second highest plausible head among providers in the same round; a single liar cannot lift it above the highest honest head',
  },
  'health-quorum': {
    text: 'how many verifiers a decision needs: not shown',
    decided:
      'a majority of the assigned verifiers, one of two (option: two thirds); fewer live ones give UNKNOWN and averages of 0',
  },
  'health-transition-to-unknown': {
    text: 'transition from any value to UNKNOWN: not shown',
    decided:
      'at once when quorum is lost, even if the evaluator has died: the answer holds only until quorumExpiresAt',
  },
  'health-transition-from-unknown': {
    text: 'transition from UNKNOWN to another value: not shown',
    decided:
      'to UP or LATENCY at once; to DOWN after the same hold as from UP, because the first probe may fail like any other',
  },
  'health-transition-to-down': {
    text: 'transition from UP or LATENCY to DOWN: not shown',
    decided: 'when the raw decision has been DOWN for 20 s without a break',
  },
  'health-transition-to-latency': {
    text: 'transition from UP to LATENCY: not shown',
    decided: 'when the raw decision has been LATENCY or worse for 30 s without a break',
  },
  'health-transition-recovery': {
    text: 'transitions from DOWN or LATENCY to a better value: not shown',
    decided:
      'when the raw decision has been that much better for 30 s, doubled with each worsening in 30 min, at most 300 s; thresholds are halved until then',
  },
  'health-slow-answers': {
    text: 'whether slow answers alone give LATENCY: not shown',
    decided:
      'never for chain services unless maxRttMs is set; above 3000 ms by default for http and mcp services',
  },
  'health-chain-stall': {
    text: 'decision of services whose whole chain stands still: not shown',
    decided: 'they stay UP; the chain carries the advisory STALLED',
  },
  'health-restart-keeps-decision': {
    text: 'decision after a restart of the service: not shown',
    decided: 'the published decision stands at once and until its quorum expires; history is whole',
  },
})

const endpoint = [
  ...section('Health API', 1, {
    'health-get-path': 'GET /health/{serviceId} with the required string path parameter serviceId',
    'health-get-operation-id': 'its operation id is getServiceHealth',
    'health-get-success': 'success is 200, application/json, body HealthResponse',
    'health-get-failure': 'failure is 500, application/json, body ErrorResponse',
  }),
  ...section('Authentication', 1, {
    'health-get-authentication': {
      text: 'authentication of the health endpoint: not shown',
      decided: 'none; any origin may read it (CORS *), ETag and Cache-Control: public, max-age=2',
    },
  }),
  ...section('Errors', 1, {
    'health-unregistered-id': {
      text: 'answer for an identifier that nobody registered: not shown',
      decided: '200 with decision UNKNOWN and liveVerifiers 0',
    },
    'health-malformed-id': {
      text: 'answer for an identifier that cannot be one: not shown',
      decided: '400 ErrorResponse for anything but 1 to 128 characters of A-Z a-z 0-9 . _ : -',
    },
    'health-other-statuses': {
      text: 'other statuses of the health endpoint: not shown',
      decided:
        'ErrorResponse with every refusal: 404 unknown path, 405 other method, 413, 414, 415, 422, 429, 500',
    },
    'error-codes': {
      text: 'allowed values of error.code: not shown',
      decided: 'the closed list in shared/faults.ts',
    },
    'error-messages': {
      text: 'content of messages: not shown',
      decided: 'what was wrong, where, and what is allowed; never a rejected value, a secret, a stack or SQL',
    },
  }),
  ...section('Limits', 1, {
    'own-endpoint-limits': {
      text: "rate limits on the service's own endpoints: not shown",
      decided:
        'bodies, headers, addresses and JSON depth are limited on every route; verifiers are slowed down by 429 with Retry-After',
    },
  }),
  ...section('Versioning', 1, {
    'openapi-version': 'the health API is described as OpenAPI 3.0.3',
    'openapi-title': 'the API title is "Global Health API"',
    'openapi-api-version': 'the API version is 1.0.0',
  }),
]

export const healthRequirements: Requirement[] = [...resources, ...transitions, ...endpoint]

export const healthDecisions: Decisions = {
  'An unregistered identifier answers 200 with `UNKNOWN`':
    ', because the contract lists 200 and 500 only. One with characters outside `A-Za-z0-9._:-` answers 400.',
  'Health, details, history and badges need no sign-in': 'and may be read by pages of any site.',
  'Sequence numbers of reports live in memory and are stored behind the request.':
    'After a restart nothing is accepted that was signed before it, so there is no gap for replays and no database on the path of a report.',
  'Time is steady.':
    'Ages come from monotonic clocks. When somebody sets the wall clock, decisions go on by the old time until the new one has stood for ten minutes, and a block is only "from the future" if both agree.',
  'A verifier counts for the quorum once it has had the time to look':
    '(`freshMs` after its first report), and the built-in one only while it is switched on.',
  'A calm service is judged every 5 s':
    ', one with a changed vote within a second: its `timestamp` may be that old.',
  'Incidents and uptime are derived from transitions':
    ', not stored a second time. What is UNKNOWN counts for neither side and is shown as a share of its own. Time before the first decision was not watched and counts for nothing.',
  'The reason of an incident is told with its change over time':
    ': another one is stored once a majority has said it for ten seconds, and for twice as long after each change, so that a reason that flaps for a year is stored some twenty times. An answer lists the first and the newest 19.',
  'What is declared of a node wins over what verifiers find':
    ', because theirs is a guess from a few calls. Where they find something else the page says so, as advice. What they found is stored for a month, as far as it does not change by itself, and is told with its age.',
  'Services are muted, not switched off':
    ': maintenance opens no incident and counts for no uptime, and the history goes on, so that it shows when the work was over. Whoever wants no probes removes the service.',
  'An error budget is that of the monthly report':
    'for the time that counts, and stands there and on the page of the service in the same numbers. Its objective is chosen where it is read; no service stores one.',
  'Verifiers send small batches':
    ': rounds share one up to 400 observations, so that reading it does not hold up the server. The protocol allows 2,000.',
  'Refused reports are limited':
    'to 60 a minute and address, for senders that name no active verifier. One that does is never refused for its address, which it may share with strangers: its signature is checked, and only a wrong one is counted.',
  'Settings of a policy that contradict each other are refused':
    ': `freshMs` below three intervals and 2 s, a time-out beyond the interval, `maxUpForMs` below `upForMs`. A service that an older version stored is mended instead, because it must not go unwatched after an upgrade.',
  'A process that starts beside others is ready when every service has a decision':
    ', or after 15 s. One that is alone is ready at once, because nobody else could answer.',
  'Of several processes one decides':
    'by a lease in the database; all have the same observations, so that whoever takes over knows what its predecessor knew. Decisions go to the others by internal HTTP, because neither Redis nor LISTEN is there in every installation; a process that is not reached reads what is stored.',
  'The process that decides goes on while the database is away':
    ', beyond the end of its lease: nobody else can take that either, and to stop would make every outage of the database one of health. It stops as soon as another process or the database names a higher epoch, and nothing is stored under an older one.',
  'A process that takes over accepts no report that was sent before':
    ': the last one may have taken it and died before it said so. A verifier adopts the number that it is told, and goes on.',
  'A process whose clock is more than 5 s from that of the database leaves decisions to others':
    '. Where nobody takes them for 10 s it decides all the same, because time is that of the database: a database with a wrong clock must not end health.',
  'Of two verifiers one is enough':
    ', with the advisory `VERIFIER_SILENT` while the other is silent: with both needed, the second would halve the availability that it was meant to raise. A verifier that is silent for three days counts for no quorum until it reports again.',
  'Where fewer than three providers are watched, nodes are compared all the same':
    ': three nodes of one provider among each other, and of two voices the one that falls further and further behind. That is LATENCY at most, because the one ahead may be lying.',
  'The newest blocks of one height are compared in every round':
    ', except on mined chains, which compete for them by nature. A fork that lasts outlives the hold; a change of the newest block does not.',
  'Every chain that is read has an age':
    '; where sequencers pause without transactions it is ten minutes, and an advisory after two. A subgraph whose chain is not watched may be `maxAgeMs` old.',
  'A sequence number is at most a day ahead of the server':
    ', or one report of a verifier with a wrong clock would refuse all that follow.',
  '`GET /health/{serviceId}` is answered before the router':
    'when its path has the plain form; Elysia answers the rest.',
  'Networks whose nodes no probe family reads':
    '(Flow, Kaspa, Stacks) are listed and can be watched as `http` services.',
  'Regular expressions are those of RE2':
    '(`re2js`), over the first 32 kB and at most 200 steps: the platform’s engine took 0.9 s for `^(a+)+$` at 28 characters, this one at most 0.15 s for the worst pattern that was found. A worker with a time limit would cost a process for the same.',
  'Facts about a node advise and never decide':
    ': its state depth, finality, methods and certificate are found out in the deep probe, kept in memory for a quarter of an hour, and shown as labels and advisories.',
  'A beacon chain is a chain of its own':
    '(`ethereum-beacon`), because it counts slots where its execution layer counts blocks.',
  'A second API of the same nodes is a family of its own':
    'on the same chain (`cosmos-rest` beside `cosmos`, `tron` beside `evm`), so that heads are compared across both. Where nothing is relayed, one family takes several APIs and finds out which an endpoint speaks: Horizon and Stellar RPC; JSON-RPC and GraphQL of Sui; versions 2 and 3 of TON; Blockfrost, Koios and Ogmios for Cardano.',
}
