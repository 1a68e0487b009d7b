import { createHash } from 'node:crypto'

import manifest from '../../../package.json' with { type: 'json' }
import { families } from '../../../shared/chains.ts'
import { type EnrollRequest, EnrollResponse, enrolmentText } from '../../../shared/verifier-protocol.ts'
import { type Egress, EgressError } from '../../platform/egress.ts'
import { parseJson } from '../../platform/json.ts'
import { endpointOf, serverRefusalOf } from '../server-client/http-client.ts'
import { type VerifierIdentity, createVerifierIdentity, readVerifierIdentity } from './identity.ts'
import { type StoredVerifierState, createState, openVerifierState, writeProblemOf } from './state.ts'

export interface EnrolOptions {
  serverUrl: string
  /** The operator's one-time token; null to continue with an earlier enrolment. */
  token: string | null
  name: string
  region: string
  /** The folder that holds the key and the state. */
  folder: string
  egress: Egress
}

/** The outcome of an enrolment. `message` is one sentence for the person who started the verifier. */
export type EnrolmentOutcome =
  | { kind: 'enrolled'; identity: VerifierIdentity; state: StoredVerifierState; isNew: boolean }
  | { kind: 'refused'; message: string }

type ServerAnswer = { kind: 'accepted'; verifierId: string } | { kind: 'refused'; message: string }

const timeoutMs = 15_000
const maxBytes = 65_536

/**
 * Returns the folder's verifier, and enrols a new one when the token is not the one that was spent for it: the same
 * command line may be run again and again, and a new token replaces a revoked verifier.
 */
export async function enrol(options: EnrolOptions): Promise<EnrolmentOutcome> {
  const { token, folder } = options
  const opened = await openVerifierState(folder)
  const isSpent = opened.kind === 'found' && (token === null || opened.tokenHash === hashOf(token))
  if (isSpent) {
    const identity = await readVerifierIdentity(folder)
    if (identity) return { kind: 'enrolled', identity, state: opened.state, isNew: false }
    return { kind: 'refused', message: `${folder} has lost its key; enrol again with a new --token.` }
  }
  if (token === null) {
    const reason = opened.kind === 'damaged' ? `${opened.path} is damaged` : `${folder} holds no verifier yet`
    return { kind: 'refused', message: `${reason}; give the one-time --token that an operator has made.` }
  }
  return enrolNew(options, token)
}

/**
 * Enrols with a new key, because a server accepts a key only once. The folder changes only after a success; that it can be changed
 * is found out before, because a token is spent for good.
 */
async function enrolNew(options: EnrolOptions, token: string): Promise<EnrolmentOutcome> {
  const problem = await writeProblemOf(options.folder)
  if (problem !== null) {
    const message = `${options.folder} cannot be written (${problem}); the token was not used, so give it again with another folder.`
    return { kind: 'refused', message }
  }
  const identity = createVerifierIdentity()
  const answer = await askServer(options, token, identity)
  if (answer.kind === 'refused') return answer
  await identity.saveIn(options.folder)
  const state = await createState(options.folder, answer.verifierId, hashOf(token))
  return { kind: 'enrolled', identity, state, isNew: true }
}

async function askServer(
  options: EnrolOptions,
  token: string,
  identity: VerifierIdentity,
): Promise<ServerAnswer> {
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
      return { kind: 'refused', message: `The server refused: ${serverRefusalOf(response).message}.` }
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
