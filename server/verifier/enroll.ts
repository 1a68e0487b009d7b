import { createHash } from 'node:crypto'

import manifest from '../../package.json' with { type: 'json' }
import { families } from '../../shared/chains.ts'
import { EnrollResponse, enrolmentText } from '../../shared/verifier-protocol.ts'
import type { EnrollRequest } from '../../shared/verifier-protocol.ts'
import type { Egress } from '../platform/egress.ts'
import { EgressError } from '../platform/egress.ts'
import { endpointOf, parseJson, refusalOf } from './http-link.ts'
import { createIdentity, readIdentity } from './identity.ts'
import type { Identity } from './identity.ts'
import { createState, openState } from './state.ts'
import type { VerifierState } from './state.ts'

export interface EnrolOptions {
  serverUrl: string
  /** One-time token of the operator; null to go on with an earlier enrolment. */
  token: string | null
  name: string
  region: string
  /** Where the key and the state live. */
  folder: string
  egress: Egress
}

/** `message` is one sentence for the person who started the verifier. */
export type Enrolment =
  | { kind: 'enrolled'; identity: Identity; state: VerifierState; isNew: boolean }
  | { kind: 'refused'; message: string }

type ServerAnswer = { kind: 'accepted'; verifierId: string } | { kind: 'refused'; message: string }

const timeoutMs = 15_000
const maxBytes = 65_536

/**
 * Gives the folder's verifier, and enrols a new one when the token is not the one that was spent for it: the same
 * command line may be run again and again, and a new token replaces a revoked verifier.
 */
export async function enrol(options: EnrolOptions): Promise<Enrolment> {
  const { token, folder } = options
  const opened = await openState(folder)
  const isSpent = opened.kind === 'found' && (token === null || opened.tokenHash === hashOf(token))
  if (isSpent) {
    const identity = await readIdentity(folder)
    if (identity) return { kind: 'enrolled', identity, state: opened.state, isNew: false }
    return { kind: 'refused', message: `${folder} has lost its key; enrol again with a new --token.` }
  }
  if (token === null) {
    const reason = opened.kind === 'damaged' ? `${opened.path} is damaged` : `${folder} holds no verifier yet`
    return { kind: 'refused', message: `${reason}; give the one-time --token that an operator has made.` }
  }
  return enrolAnew(options, token)
}

/** The key is new each time, because a server takes a key only once; the folder changes only after a success. */
async function enrolAnew(options: EnrolOptions, token: string): Promise<Enrolment> {
  const identity = createIdentity()
  const answer = await askServer(options, token, identity)
  if (answer.kind === 'refused') return answer
  await identity.keepIn(options.folder)
  const state = await createState(options.folder, answer.verifierId, hashOf(token))
  return { kind: 'enrolled', identity, state, isNew: true }
}

async function askServer(options: EnrolOptions, token: string, identity: Identity): Promise<ServerAnswer> {
  const { serverUrl, name, region, egress } = options
  const { publicKey } = identity
  const proof = identity.sign(enrolmentText(token, publicKey))
  const version = manifest.version
  const body: EnrollRequest = { token, publicKey, name, region, version, families: [...families], proof }
  try {
    const response = await egress.request({
      url: endpointOf(serverUrl, '/v1/verifiers/enroll'),
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      timeoutMs,
      maxBytes,
    })
    if (response.status >= 400) {
      return { kind: 'refused', message: `The server refused: ${refusalOf(response).message}.` }
    }
    const parsed = EnrollResponse.safeParse(parseJson(response.text))
    if (parsed.success) return { kind: 'accepted', verifierId: parsed.data.verifierId }
    return { kind: 'refused', message: `${serverUrl} does not answer as a Gatehouse server does.` }
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    return { kind: 'refused', message: `${serverUrl} cannot be reached (${error.code}).` }
  }
}

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')
