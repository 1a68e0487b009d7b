/**
 * Runs every case against `server/platform/egress.ts`. Started by `ssrf.test.ts` inside an empty network namespace,
 * where it owns every address; prints a `MatrixReport` as one line of JSON.
 */
import { createEgress, EgressError } from '../../../server/platform/egress.ts'
import type { StreamingEgress } from '../../../server/platform/egress.ts'
import { allCases, internalAddresses, publicIpv4, publicIpv6, zone } from './cases.ts'
import type { CaseOutcome, MatrixReport, SsrfCase } from './cases.ts'
import { createAuthority } from '../../../scripts/world/certificates.ts'
import { resolverOfNamespace, startNameServer } from './name-server.ts'

const publicWords = 'public'
const internalWords = 'internal'
const nameCacheTtlMs = 5_000

function configureNamespace(): void {
  ip('link', 'set', 'lo', 'up')
  for (const address of [publicIpv4, publicIpv6, ...internalAddresses]) {
    if (address === '127.0.0.1' || address === '::1') continue
    ip('address', 'add', `${address}/${address.includes(':') ? 128 : 32}`, 'dev', 'lo')
  }
}

function ip(...args: string[]): void {
  const { exitCode, stderr } = Bun.spawnSync(['ip', ...args])
  if (exitCode !== 0) throw new Error(`ip ${args.join(' ')}: ${stderr.toString()}`)
}

function startPublicServers(tls: Bun.TLSOptions): void {
  Bun.serve({ hostname: publicIpv4, port: 80, fetch: answerPublicly })
  Bun.serve({ hostname: publicIpv6, port: 80, fetch: answerPublicly })
  Bun.serve({ hostname: publicIpv4, port: 443, fetch: answerPublicly, tls })
}

/** Redirects from `/302?to=…`, answers `public` elsewhere. */
function answerPublicly(request: Request): Response {
  const { pathname, searchParams } = new URL(request.url)
  const to = searchParams.get('to')
  if (to === null) return new Response(publicWords)
  return new Response(null, { status: Number(pathname.slice(1)), headers: { location: to } })
}

/** Answers on every internal address too, and counts who gets that far. */
function startInternalServers(): Map<string, number> {
  const accepted = new Map<string, number>()
  const answer = `HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: ${internalWords.length}\r\n\r\n${internalWords}`
  for (const hostname of internalAddresses) {
    accepted.set(hostname, 0)
    for (const port of [80, 443]) {
      Bun.listen({
        hostname,
        port,
        socket: {
          open: () => void accepted.set(hostname, (accepted.get(hostname) ?? 0) + 1),
          data: (socket) => void socket.end(answer),
        },
      })
    }
  }
  return accepted
}

const sum = (counts: Map<string, number>): number =>
  counts.values().reduce((total, count) => total + count, 0)

async function outcomeOf(attempt: Promise<string>): Promise<CaseOutcome> {
  try {
    return (await attempt) === publicWords ? 'answered' : 'got in'
  } catch (error) {
    if (error instanceof EgressError) return error.code
    throw error
  }
}

async function bareFetchGetsIn(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(1_000) })
    return (await response.text()) !== publicWords
  } catch {
    return false
  }
}

type Way = (egress: StreamingEgress, url: string) => Promise<string>

/** Asks through a guard of its own, so that no case profits from another's name cache. */
async function ask({ url, askTwice }: SsrfCase, ca: string, send: Way): Promise<CaseOutcome> {
  let nowMs = 0
  const clock = { now: () => nowMs, monotonic: () => nowMs }
  const egress = createEgress({
    clock,
    allowPrivate: [],
    schemes: ['http', 'https'],
    resolve: resolverOfNamespace(),
    ca,
  })
  if (askTwice === true) {
    const first = await outcomeOf(send(egress, url))
    if (first !== 'answered') throw new Error(`the first question was to be answered: ${first}`)
    nowMs += nameCacheTtlMs
  }
  const outcome = await outcomeOf(send(egress, url))
  egress.close()
  return outcome
}

async function sendRequest(egress: StreamingEgress, url: string): Promise<string> {
  return (await egress.request({ url, timeoutMs: 3_000, maxBytes: 1_000 })).text
}

async function sendFetch(egress: StreamingEgress, url: string): Promise<string> {
  const headers = { authorization: 'Bearer secret', 'x-api-key': 'secret' }
  return (await egress.fetch(url, { method: 'POST', headers, body: '{}' })).text()
}

const ways: readonly Way[] = [sendRequest, sendFetch]

async function run(): Promise<MatrixReport> {
  configureNamespace()
  const authority = createAuthority()
  startPublicServers(authority.issue(['DNS:public.test']))
  const accepted = startInternalServers()
  const cases: MatrixReport['cases'] = {}

  const names = await startNameServer(zone)
  for (const each of allCases) {
    const outcomes: CaseOutcome[] = []
    for (const way of ways) {
      names.forgetQuestions()
      outcomes.push(await ask(each, authority.ca, way))
    }
    cases[each.name] = { outcomes, bareFetchGotIn: false }
  }
  await Bun.sleep(200) // for connections still waiting to be accepted
  const acceptedFromGuarded = sum(accepted)

  for (const each of allCases) {
    const measured = cases[each.name]
    if (measured !== undefined) measured.bareFetchGotIn = await bareFetchGetsIn(each.url)
  }
  return { cases, acceptedFromGuarded, acceptedFromBare: Object.fromEntries(accepted) }
}

process.stdout.write(`${JSON.stringify(await run())}\n`)
process.exit(0)
