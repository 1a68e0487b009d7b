import { permissionLabels } from '../../shared/api-keys.ts'
import { describeKeyRefusals, describeRefusal } from '../platform/http/refusals.ts'
import type { Resource } from './resource.ts'

/** What the API's description says of the routes of a resource, beyond the schemas. */

const header = (description: string) => ({ description, schema: { type: 'string' } }) as const

const requestId = { 'X-Request-Id': header('finds the request in our log') }
const withTag = {
  ...requestId,
  ETag: header('the version of what was answered, for If-Match; counts and states are no part of it'),
}

const keyRefusals = describeKeyRefusals(permissionLabels.installation)

const invalid = (example: string) =>
  describeRefusal(
    'A field or parameter is not allowed; the message names it, and what is allowed. Nothing was changed.',
    'invalid_request',
    example,
  )

const missing = ({ one }: Resource) =>
  describeRefusal(`There is no ${one.replace(/^an? /, '')} of this id`, 'not_found', 'There is no such thing')

const stale = describeRefusal(
  'Somebody has changed it since it was read; the ETag header says what it is now',
  'precondition_failed',
  'It is not what it was when it was read (If-Match): read it again, and repeat the change if it is still wanted',
)

const conflict = (description: string, message: string) => describeRefusal(description, 'conflict', message)

const ofFile = 'It is declared in the file and changed there, or something else stands against it'

const described = (resource: Resource, verb: string, plural: boolean, about: string) => {
  const { name, one, many } = resource
  return {
    operationId: `${verb}${name}${plural ? 's' : ''}`,
    summary: `${verb[0]?.toUpperCase()}${verb.slice(1)} ${plural ? many : one}`,
    description: `${about}${about === '' ? '' : ' '}For operators: needs the permission ${permissionLabels.installation}.`,
    tags: ['Installation'],
  }
}

export const describeList = (resource: Resource) => ({
  ...described(
    resource,
    'list',
    true,
    'A page; `nextCursor` leads to the next one, and is null on the last.',
  ),
  responses: {
    200: { description: 'A page', headers: requestId },
    ...keyRefusals,
    422: invalid('query parameter limit: expected a whole number from 1 to 100'),
  },
})

export const describeGet = (resource: Resource) => ({
  ...described(resource, 'get', false, ''),
  responses: {
    200: { description: 'As it is now', headers: withTag },
    ...keyRefusals,
    404: missing(resource),
  },
})

export const describeCreate = (resource: Resource, about = '') => ({
  ...described(resource, 'create', false, about),
  responses: {
    201: {
      description: 'It is there, in every process',
      headers: { ...withTag, Location: header('its address') },
    },
    ...keyRefusals,
    404: describeRefusal(
      'The body names something that is not there, to which it would belong',
      'not_found',
      'There is no such status page',
    ),
    409: conflict(
      'The name is taken, or the Idempotency-Key was used for another request',
      'This Idempotency-Key was used for another request: use a new one',
    ),
    422: invalid('name: expected text without control, invisible or direction-changing characters'),
  },
})

export const describeChange = (resource: Resource, about = '') => ({
  ...described(
    resource,
    'change',
    false,
    `Changes what the body names; the rest stays, and so does what is sent as it is shown. ${about}`.trim(),
  ),
  responses: {
    200: { description: 'As it is now', headers: withTag },
    ...keyRefusals,
    404: missing(resource),
    409: conflict(ofFile, 'this endpoint is managed by the file: change it there'),
    412: stale,
    422: invalid('name: expected text without control, invisible or direction-changing characters'),
  },
})

export const describeDelete = (resource: Resource, about = '') => ({
  ...described(resource, 'delete', false, about),
  responses: {
    204: { description: 'It is gone, in every process', headers: requestId },
    ...keyRefusals,
    404: missing(resource),
    409: conflict(ofFile, 'this endpoint is managed by the file: change it there'),
    412: stale,
  },
})
