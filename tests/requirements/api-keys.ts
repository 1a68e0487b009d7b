import { type Decisions, section, type Requirement } from './requirement.ts'

const fields = section('API key (administrative token)', 2, {
  'api-key-token-name': 'Token name: required descriptive label',
  'api-key-permissions': 'Permissions: optional selection',
  'api-key-permission-statistics-read': 'Statistics Read: view usage statistics and analytics for query keys',
  'api-key-permission-token-create': 'Token Create: create query keys via the API',
  'api-key-allowed-ips': 'Allowed IPs: optional list of IP addresses; blank means any address',
  'api-key-allowed-domains': 'Allowed Domains: optional list of domains',
  'api-key-domain-wildcard': 'an asterisk is a wildcard for a variable part of a domain name',
  'api-key-expiration': 'Expiration: optional date after which the key is invalid',
  'api-key-creating-and-editing': 'all options can be set when creating a key and when editing it',
  'api-key-shows-creation-date': 'the creation date is displayed',
  'api-key-shows-expiration-date': 'the expiration date is displayed',
  'api-key-shows-status': 'enabled or disabled is displayed',
  'api-key-value-hidden': 'the value is hidden by default, with show/hide and copy controls',
  'api-key-wire-names': {
    text: 'wire names of the API key fields: not shown',
    decided:
      'name, permissions (statistics_read, token_create, gateway_use, installation), allowedIps, allowedDomains, expiresAt, createdAt, enabled',
  },
  'api-key-ip-matching': {
    text: 'how addresses match: not shown',
    decided:
      'IPv4, IPv6 or CIDR; ::ffff:a.b.c.d equals a.b.c.d; the peer address, or X-Forwarded-For read from the right behind trusted proxies',
  },
  'api-key-domain-matching': {
    text: 'how domains match: not shown',
    decided:
      'the origin of the request; *.x.y is one or more labels left of x.y and not x.y itself; the last two labels are literal; a missing or null origin is refused',
  },
  'api-key-list-bounds': {
    text: 'bounds of the lists: not shown',
    decided: 'at most 100 entries each; a bad entry is a 422 that names it',
  },
  'api-key-format': {
    text: 'form of the key value: not shown',
    decided: 'gak_ and 32 random base62 characters and 6 of checksum; stored as an HMAC and a sealed copy',
  },
})

const transitions = section('States and transitions', 2, {
  'api-key-create':
    'create in the interface with a token name gives an enabled key that appears in the token table',
  'api-key-disable': 'the status toggle disables an enabled key, which is kept',
  'api-key-enable': 'the status toggle enables a disabled key',
  'api-key-expire': 'a key whose expiration date passes is invalid and cannot be used for API requests',
  'api-key-delete': 'delete removes an enabled or disabled key for good',
  'api-key-revocation-speed': {
    text: 'when a disabled, expired or deleted key stops working: not shown',
    decided: 'before the call that did it returns, in every process of the installation',
  },
})

const signIn = [
  ...section('What the service does', 2, {
    'keys-differ-by-installation': 'API keys differ on each installation of the service',
    'keys-managed-after-sign-in': 'users create and manage API keys in a web interface after signing in',
  }),
  ...section('Authentication', 2, {
    'sign-in-wallet': 'sign-in by a crypto wallet: an off-chain message is signed to prove ownership',
    'sign-in-code-hosting': 'sign-in by an external code-hosting identity account',
    'sign-in-web-search-company': 'sign-in by an external web-search-company identity account',
    'sign-in-provider-confirmation': 'for identity accounts the user logs in at the provider and confirms',
    'sign-in-no-passwords': 'no passwords are stored',
    'sign-in-wallet-privacy':
      'wallet sign-in stores no personal information unless the user opts in to contact details',
    'account-api-bearer':
      'the account API takes Authorization: Bearer <API_KEY> with an administrative API key',
    'api-key-ip-restriction': 'with Allowed IPs set, the key works only from those addresses',
    'api-key-domain-restriction':
      'with Allowed Domains set, the key works only from those domains, wildcards included',
    'api-key-expired-refused': 'after the expiration date the key is invalid',
    'api-key-disabled-refused': 'a disabled key is not usable',
  }),
  ...section('Errors', 2, {
    'account-error-body': {
      text: 'error responses of the account API: not shown',
      decided: 'ErrorResponse with every refusal',
    },
    'account-error-unauthorized': {
      text: 'response to a missing, invalid, disabled or expired key: not shown',
      decided: '401 unauthorized, one body for all of them',
    },
    'account-error-ip': {
      text: 'response to a violated IP restriction: not shown',
      decided: '403 ip_not_allowed, saying what to change',
    },
    'account-error-domain': {
      text: 'response to a violated domain restriction: not shown',
      decided: '403 domain_not_allowed, saying what to change',
    },
    'account-error-permission': {
      text: 'response to a missing permission: not shown',
      decided: '403 permission_missing, naming the permission',
    },
  }),
  ...section('Account API', 2, {
    'api-key-programmatic-endpoints': {
      text: 'programmatic endpoints for listing, editing, disabling or deleting API keys: not shown',
      decided: 'none over REST: the console and the operator command line do it',
    },
  }),
  ...section('Events', 2, {
    'events-for-callers': {
      text: 'events: not shown',
      decided: 'none for callers; the console hears of changed decisions live over its own subscription',
    },
  }),
]

export const apiKeyRequirements: Requirement[] = [...fields, ...transitions, ...signIn]

export const apiKeyDecisions: Decisions = {
  'A team is an account that nobody signs in to':
    ', so that plans, caps, limits, statistics and suspension hold for it without a line of their own. Each request of the console names the team in a header and not in the session: two tabs act for two accounts, and neither changes under the hand of whoever uses the other. Membership is read from the database at every such request, never from memory.',
  'What a team is open to is a list':
    ': a router whose changes nobody has decided about is closed to teams. A viewer reads everything but values of keys; API keys, agents and policies of tools need an admin, because they act for the whole team and outlive whoever made them.',
  'How teams come about follows the sign-up policy':
    ': each has a plan of its own, and whoever could make them at will could multiply it. One person belongs to 20 at most, a team has 100 members and 50 open invitations.',
  'A team is deleted when nothing is left in it':
    ': no keys, agents, connections or virtual servers. What programs use is deleted by its name, by somebody who sees it.',
  'Changes in the name of a team count for the person':
    'in the limit of changes: otherwise every team would be a further allowance.',
  'An SSE stream of the console ends with its session':
    ', and every five minutes; browsers come again by themselves. An account may have 20 of them open in one process; one more is refused as `rate_limited`, and the console says so.',
  'A sign-in that is over':
    '(its way back from the provider too old, used, or of another browser) is a 400 whose page leads to the sign-in page; programs get the ErrorResponse.',
  'A provider of OpenID Connect is asked by our own code':
    'over `jose` and `arctic`, which GitHub and Google have: what was missing was discovery, in a hundred lines. `openid-client` would bring 0.6 MB with `oauth4webapi`, check the same a second time, and fetch by itself. One provider can be set up; identities hold their issuer, so that more can follow.',
  'Single sign-on asks nobody again':
    ', so a provider is sent `prompt=select_account` only where it lists that value, because many refuse one that they do not list. Whoever confirms who they are is sent there with `prompt=login`.',
  'The allow-list is looked at when somebody comes in':
    '(the first sign-in, or one while they wait): leaving a group at the provider ends no account, which operators do. An e-mail address counts only by its domain, and only where the provider says `email_verified: true`.',
  'API keys are managed in the console and at the command line only.':
    'Over REST a key can be asked what it may do: `GET /account/api-key`, which needs no permission.',
  'An expired key stays expired':
    ': no transition of the specification leads out of it. The console offers a new one with the same settings.',
  'A key in the query of any address is a 400':
    ', whatever the route: addresses are written down on the way.',
  'A deleted account':
    'is gone with its keys, agents, connections, virtual servers, policies and sessions in one transaction, which every process has applied before the answer comes. What it did stays in the audit log under the names that stand there, because its entries are a chain; its counts of calls stay under an id that leads to nobody, so that the sums of the installation stay true; single calls in the request log and the record of tool calls go with their days. A row without a name is left of it, which refuses what a request under way may still make; that is swept up within five minutes. Whoever signs in again is new, under the sign-up policy. Tokens that authorization servers of others gave are forgotten, not revoked there: who wants that deletes the connections first. Operators are deleted once they are none, the only one never.',
  'Statements of a month go to channels of the type webhook that the file names':
    '(`statements.channels`), one message for each account that used something, once its last day is rolled up. They have no text for people, and so no other types of channels; who reads them by mail is sent the CSV by a program. The audit log remembers that a month was sent, and only the last month is.',
  'A budget of a month tells, and refuses nothing':
    ": it is an alert rule (`budget`), for accounts or query keys, over what is rolled up of the calendar month in UTC, some minutes behind. What refuses has to be exact on several processes, and the limiter is by keeping what was spent within the period; a calendar month needs a counter of another kind, with a store that survives it, and on the path of every call. Who needs a wall takes a plan's `totalMost` or the limit of a key, by the day or by 30 days.",
  'A web session keeps the network of its browser only':
    '(/24 or /48), not the address: nobody opted in to more.',
}
