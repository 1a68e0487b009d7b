import { readFile } from 'node:fs/promises'
import { hostname } from 'node:os'

import { systemClock } from '../platform/clock.ts'
import { type StreamingEgress, createEgress } from '../platform/egress.ts'
import { errorMessage } from '../platform/error-message.ts'
import { assertNever } from '../platform/fault.ts'
import { createLog } from '../platform/log.ts'
import { gatewayAnswers } from '../platform/default-gateway.ts'
import { type AgentEnd, createAgent } from './agent.ts'
import { type RunOptions, readVerifierArguments, verifierHelpText } from './command-line.ts'
import { enrol } from './identity/enroll.ts'
import { createDialFor } from './head-streams/dial.ts'
import { createHttpServerClient } from './server-client/http-client.ts'
import { createAddressCheck, createCanaryCheck } from './isolation/canary.ts'
import type { ServerClient } from './server-client/server-client.ts'
import { createProbeRunner } from './probes/run.ts'

/** Process entry of the stand-alone verifier. */

const schemes = ['http', 'https'] as const
/** The person who runs the verifier has typed the address of its server, so it may be any address. */
const everywhere = ['0.0.0.0/0', '::/0']

let onStopSignal = (): void => process.exit(0)
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => onStopSignal())

const say = (line: string) => process.stdout.write(`${line}\n`)
const complain = (line: string) => process.stderr.write(`${line}\n`)

async function main(args: readonly string[]): Promise<number> {
  const command = readVerifierArguments(args)
  switch (command.kind) {
    case 'help':
      process.stdout.write(verifierHelpText)
      return 0
    case 'wrong':
      complain(command.message)
      return 1
    case 'run':
      return run(command.options)
    default:
      return assertNever(command)
  }
}

async function run(options: RunOptions): Promise<number> {
  let probing: StreamingEgress
  try {
    probing = createEgress({ clock: systemClock, schemes, allowPrivate: options.allowPrivate })
  } catch (error) {
    complain(`--allow-private: ${errorMessage(error)}.`)
    return 1
  }
  const reporting = createEgress({ clock: systemClock, schemes, allowPrivate: everywhere })
  try {
    return await verify(options, { probing, reporting })
  } finally {
    probing.close()
    reporting.close()
  }
}

interface Egresses {
  probing: StreamingEgress
  reporting: StreamingEgress
}

async function verify(options: RunOptions, egresses: Egresses): Promise<number> {
  const { serverUrl, region, folder } = options
  const name = options.name ?? hostname()
  const { token, lack } = await readToken(options)
  const enrolment = await enrol({ serverUrl, token, name, region, folder, egress: egresses.reporting })
  if (enrolment.kind === 'refused') {
    complain(lack === null ? enrolment.message : `${lack}, and ${enrolment.message}`)
    return 1
  }
  if (lack !== null) complain(`${lack}; the verifier in ${folder} needs none.`)
  const { identity, state, isNew } = enrolment
  const { verifierId } = state
  if (isNew) say(`Enrolled as ${verifierId}; key and state are in ${folder}.`)
  const serverClient = createHttpServerClient({
    serverUrl,
    verifierId,
    identity,
    egress: egresses.reporting,
    clock: systemClock,
  })
  const agent = createAgent({
    serverClient: announceFirstReport(serverClient, () => say(`Reporting to ${serverUrl} as ${verifierId}.`)),
    runner: createProbeRunner({ egress: egresses.probing, monotonic: systemClock.monotonic }),
    dialFor: createDialFor(egresses.probing.resolve),
    checkCanary: createCanaryCheck(egresses.probing),
    defaultCanaryChecks: {
      checkGateway: gatewayAnswers,
      checkAddress: createAddressCheck(egresses.probing),
    },
    identity,
    state,
    clock: systemClock,
    random: Math.random,
    log: createLog({ level: 'warn', destination: process.stderr }),
  })
  onStopSignal = () => void agent.stop()
  agent.start()
  const end = await agent.ended
  await agent.stop()
  return exitCode(end, serverUrl)
}

function exitCode(end: AgentEnd, serverUrl: string): number {
  switch (end.kind) {
    case 'stopped':
      return 0
    case 'revoked':
      complain(`${serverUrl} does not know this verifier any more; ask an operator for a new --token.`)
      return 1
    case 'failed':
      complain(`The verifier failed: ${String(end.error)}`)
      return 1
    default:
      return assertNever(end)
  }
}

/** Returns the same client, which calls `announce` once: when the server has accepted a report for the first time. */
function announceFirstReport(serverClient: ServerClient, announce: () => void): ServerClient {
  let isAnnounced = false
  return {
    assignments: serverClient.assignments,
    ping: serverClient.ping,
    async report(body, signature) {
      const outcome = await serverClient.report(body, signature)
      if (outcome.kind === 'accepted' && !isAnnounced) {
        isAnnounced = true
        announce()
      }
      return outcome
    },
  }
}

/** The one-time token; null where none was given, and then `lack` says why if a flag stands for one. */
interface GivenToken {
  token: string | null
  lack: string | null
}

/** A token that is not there any more is no mistake yet: it is needed for the first start only. */
async function readToken({ token, tokenFile }: RunOptions): Promise<GivenToken> {
  const place = tokenFile === null ? '--token' : `--token-file: ${tokenFile}`
  let given = token
  try {
    if (tokenFile !== null) given = (await readFile(tokenFile, 'utf8')).trim()
  } catch {
    return { token: null, lack: `${place} cannot be read` }
  }
  return given === '' ? { token: null, lack: `${place} is empty` } : { token: given, lack: null }
}

/** Exits explicitly: a probe of a service that never answers must not hold up the end. */
async function runToExit(): Promise<never> {
  try {
    process.exit(await main(process.argv.slice(2)))
  } catch (error) {
    complain(`The verifier cannot go on: ${errorMessage(error)}.`)
    process.exit(1)
  }
}

await runToExit()
