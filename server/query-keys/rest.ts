import type { AuthorizedKey } from '../api-keys/api-keys.ts'
import type { Author } from '../keys/changes.ts'
import { tooManyBadKeysText } from '../platform/http/api-key-refusals.ts'
import { describeKeyRefusals, describeRefusal } from '../platform/http/refusals.ts'
import { callerOf, requestIdOf } from '../platform/http/request-facts.ts'

/** What the REST routes of query keys have in common: who makes a change, and what the schemas of answers do not say. */

/** Counts changes of an account before they are made. Fault: `rate_limited`. */
export type CountChanges = (accountId: string, count: number) => Promise<void>

export const noStore = { 'cache-control': 'no-store' } as const

/** A change by REST is the API key's, on behalf of its account. */
export const apiKeyAuthor = (apiKey: AuthorizedKey, request: Request): Author => ({
  accountId: apiKey.accountId,
  actor: { id: apiKey.id, label: `API key ${apiKey.name}` },
  ip: callerOf(request).address,
  requestId: requestIdOf(request),
})

const answerHeaders = {
  'Cache-Control': { description: 'no-store', schema: { type: 'string' } },
  'X-Request-Id': { description: 'finds the request in our log', schema: { type: 'string' } },
} as const

const answer = (description: string) => ({ description, headers: answerHeaders })

const retryAfter = { retryAfter: true }

/** The refusals of all routes that take an API key. `permission` is the label of what the route needs. */
const refusedKey = (permission: string) => ({
  ...describeKeyRefusals(permission),
  429: describeRefusal(
    'Too many requests with bad API keys from this address, or too many changes by the account of this one',
    'rate_limited',
    tooManyBadKeysText,
    retryAfter,
  ),
})

const databaseAway = (what: string) =>
  describeRefusal(what, 'unavailable', 'The database does not answer; try again shortly', retryAfter)

const notFound = describeRefusal(
  'The account has no such key',
  'not_found',
  'There is no query key of this id',
)

const readResponses = (description: string) => ({
  200: answer(description),
  ...refusedKey('Statistics Read or Token Create'),
  404: notFound,
  422: describeRefusal(
    'A parameter is not allowed; the message names it, and what is allowed',
    'invalid_request',
    'query parameter limit: expected a whole number from 1 to 1000',
  ),
  503: databaseAway('The database does not answer, or the limits do not say what was used'),
})

const notJson = describeRefusal('The body is not JSON', 'bad_request', 'The body is not valid JSON in UTF-8')

const changeResponses = (description: string, away: string) => ({
  200: answer(description),
  ...refusedKey('Token Create'),
  404: notFound,
  503: databaseAway(`The database does not answer. ${away}`),
})

/** Those of a change with a body. */
const bodyResponses = (description: string, wrongField: string) => ({
  ...changeResponses(description, 'The change may have been made: ask for the key, or repeat it.'),
  400: notJson,
  422: describeRefusal(
    'A field is wrong; the message names it. Nothing was changed.',
    'invalid_request',
    wrongField,
  ),
})

const usedIdempotencyKey = (description: string) =>
  describeRefusal(
    description,
    'conflict',
    'This Idempotency-Key was used for another request: use a new one',
    retryAfter,
  )

export const createResponses = {
  201: answer('The keys, in the order of the request. Their values are shown here only.'),
  400: notJson,
  ...refusedKey('Token Create'),
  409: usedIdempotencyKey(
    'The Idempotency-Key was used for another body, or its request is under way; or the account has too many keys',
  ),
  422: describeRefusal(
    'A field is wrong; the message names its element. No key was created.',
    'invalid_request',
    '[2].rateLimit: expected a whole number from 1 to 1000000000000',
  ),
  503: databaseAway(
    'The database does not answer. Repeat the request with its Idempotency-Key: no key is created twice.',
  ),
}

const tags = ['Account']
const toRead = 'Needs the permission Statistics Read or Token Create.'
const toChange = 'Needs the permission Token Create.'

/** What the API's description says of each route. */
export const described = {
  list: {
    operationId: 'listQueryKeys',
    summary: 'List query keys',
    description: `The query keys of the account, the newest first, without their values. ${toRead}`,
    tags,
    responses: readResponses('A page of keys'),
  },
  get: {
    operationId: 'getQueryKey',
    summary: 'One query key',
    description: `Without its value. ${toRead}`,
    tags,
    responses: readResponses('The key'),
  },
  limits: {
    operationId: 'getQueryKeyLimits',
    summary: 'What a query key has used of its limits',
    description: `Requests and credits in the period that ends now. ${toRead}`,
    tags,
    responses: readResponses('The use of both limits'),
  },
  change: {
    operationId: 'changeQueryKey',
    summary: 'Change a query key',
    description: `Changes what the body names and leaves the rest as it is, and what is sent as it is shown; a limit of null is none. The endpoint cannot be changed. ${toChange}`,
    tags,
    responses: {
      ...bodyResponses(
        'The key as it is now',
        'rateLimit: expected rateLimit together with rateLimitPeriod, or neither of them',
      ),
      409: describeRefusal(
        'The plan of the account is not declared at present',
        'conflict',
        'The plan team of this account is not declared at present; ask the operator',
      ),
    },
  },
  delete: {
    operationId: 'deleteQueryKey',
    summary: 'Delete a query key',
    description: `For good; its statistics stay. ${toChange}`,
    tags,
    responses: changeResponses(
      'The key is deleted',
      'The key may have been deleted: repeat the request; 404 means that it was.',
    ),
  },
  rotate: {
    operationId: 'rotateQueryKey',
    summary: 'Give a query key a new value',
    description: `The value of now goes on to work for \`overlapSeconds\`; one before it ends at once. Send an Idempotency-Key: without it a repetition after a lost answer rotates once more. ${toChange}`,
    tags,
    responses: {
      ...bodyResponses(
        'The key with its new value, which is shown here only',
        'overlapSeconds: expected a whole number from 0 to 2592000',
      ),
      409: usedIdempotencyKey(
        'The Idempotency-Key was used for another request, or its request is under way',
      ),
    },
  },
}
