import { isFields } from '../../shared/fields.ts'
import { createProcedureSurface } from './procedure-surface.ts'
import { createRandom } from './random.ts'
import { createRestSurface } from './rest-surface.ts'
import type { FuzzedServer } from './fuzzed-server.ts'
import type { FuzzAnswer, SentRequest, Surface } from './sent.ts'
import { createToolSurface, listFuzzedTools } from './tool-surface.ts'

/** A request whose answer is not as it should be. */
export interface Finding {
  readonly surface: string
  readonly problem: string
  readonly sent: SentRequest
  readonly status: number
  /** The beginning of it. */
  readonly answer: string
}

export interface FuzzRun {
  readonly requests: number
  /** By surface and status: `rest 200`. */
  readonly counts: ReadonlyMap<string, number>
  /** One of each kind. */
  readonly findings: readonly Finding[]
}

export interface FuzzOptions {
  readonly seed: number
  readonly requests: number
  /** Ends earlier when this is over. */
  readonly withinMs: number
  /** Sent before all others. */
  readonly kept: readonly KeptCase[]
}

/** A request that once found something. */
export interface KeptCase {
  readonly surface: string
  readonly sent: SentRequest
}

const atOnce = 24
const credentialsRenewedEvery = 500
const mostKnownIds = 200
const answerWithinMs = 15_000

/** Sends requests to every surface of the server, and judges every answer. */
export async function fuzz(server: FuzzedServer, options: FuzzOptions): Promise<FuzzRun> {
  const knownIds: string[] = []
  const surfaces = await surfacesOf(server, options.seed, () => knownIds)
  const counts = new Map<string, number>()
  const findings = new Map<string, Finding>()
  const kept = options.kept.map(({ surface, sent }) => ({
    surface: surfaces.find(({ name }) => name === surface),
    sent,
  }))
  const endsAt = performance.now() + options.withinMs
  let requests = 0
  let renewal: Promise<void> = Promise.resolve()

  function next(): { surface: Surface; sent: SentRequest } {
    const old = kept.pop()
    if (old?.surface !== undefined) {
      const { keyHeaders, cookieHeaders } = server.credentials
      const own = old.surface.name === 'trpc' ? cookieHeaders(old.sent.by) : keyHeaders(old.sent.by)
      return { surface: old.surface, sent: { ...old.sent, headers: { ...own, ...old.sent.headers } } }
    }
    const surface = surfaces[requests % surfaces.length]
    if (surface === undefined) throw new RangeError('there is no surface')
    return { surface, sent: surface.make() }
  }

  async function work(): Promise<void> {
    while (requests < options.requests && performance.now() < endsAt) {
      if (requests % credentialsRenewedEvery === 0) renewal = server.renewCredentials()
      await renewal
      const { surface, sent } = next()
      requests++
      const received = await send(server.url, sent)
      const place = `${surface.name} ${received.status}`
      counts.set(place, (counts.get(place) ?? 0) + 1)
      rememberIds(received.text, knownIds)
      const problem = surface.judge(sent, received)
      const kind = `${surface.name} ${sent.target} ${problem}`
      if (problem !== null && !findings.has(kind)) {
        findings.set(kind, {
          surface: surface.name,
          problem,
          sent,
          status: received.status,
          answer: received.text.slice(0, 300),
        })
      }
    }
  }

  await Promise.all(Array.from({ length: atOnce }, work))
  return { requests, counts, findings: [...findings.values()] }
}

async function surfacesOf(
  { url, credentials }: FuzzedServer,
  seed: number,
  knownIds: () => readonly string[],
): Promise<Surface[]> {
  const document: unknown = await (await fetch(`${url}/openapi.json`)).json()
  if (!isFields(document)) throw new TypeError('the OpenAPI document is no object')
  const random = createRandom(seed)
  return [
    createRestSurface(document, random, credentials, knownIds),
    createProcedureSurface(random, credentials, knownIds),
    createToolSurface(await listFuzzedTools(url), random, credentials, knownIds),
  ]
}

/** A connection that breaks, and an answer that does not come, have the status 0. */
async function send(url: string, { method, path, headers, body }: SentRequest): Promise<FuzzAnswer> {
  try {
    const response = await fetch(`${url}${path}`, {
      method,
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(answerWithinMs),
    })
    return { status: response.status, headers: response.headers, text: await response.text() }
  } catch (error) {
    return { status: 0, headers: new Headers(), text: String(error) }
  }
}

/** Ids of things that requests made, which later requests name again. */
function rememberIds(text: string, known: string[]): void {
  if (text.length > 20_000) return
  for (const [id] of text.matchAll(/\b[a-z]{2,8}_[0-9a-f]{24}\b/g)) {
    if (known.length < mostKnownIds) known.push(id)
    else known[Math.floor(text.length % mostKnownIds)] = id
  }
}
