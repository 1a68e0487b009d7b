/** `npm run fuzz`: requests of every kind against a running server, whose every answer has to be as it is declared. */
import { type KeptCase, fuzz } from './fuzz/fuzz-run.ts'
import { startFuzzedServer } from './fuzz/fuzzed-server.ts'
import { print } from './print.ts'
import { readScriptArguments } from './script-arguments.ts'

const keptPath = 'tests/acceptance/fuzz-cases.json'

const help = `npm run fuzz [-- --requests n] [--seed n] [--seconds n] [--keep]

Starts a server and sends it what the OpenAPI document, the procedures of the console and the tools of the gateway
declare, and mutations of that: NUL, huge and wrong values, deep JSON, missing and added fields. Fails on every status
and body that is not declared, on an internal error, a stack, and an echo of a secret.

  --requests n    how many (default 200000)
  --seed n        repeats the choices of another run
  --seconds n     ends earlier
  --keep          adds what was found to ${keptPath}, which the tests send from then on
`

const { values } = readScriptArguments(
  { name: 'fuzz', help },
  {
    options: {
      requests: { type: 'string', default: '200000' },
      seed: { type: 'string' },
      seconds: { type: 'string', default: '3600' },
      keep: { type: 'boolean', default: false },
    },
  },
)

const seed =
  values.seed === undefined ? (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) : Number(values.seed)
const requests = Number(values.requests)
const withinMs = Number(values.seconds) * 1_000
if (![seed, requests, withinMs].every((given) => Number.isFinite(given) && given >= 0)) {
  process.stderr.write('fuzz: --requests, --seed and --seconds take a number\n')
  process.exit(1)
}
const kept: KeptCase[] = await Bun.file(keptPath).json()
print(`Seed ${seed} (--seed ${seed} repeats the choices of this run)`)

const server = await startFuzzedServer()
const startedAt = performance.now()
const run = await fuzz(server, { seed, requests, withinMs, kept })
const seconds = (performance.now() - startedAt) / 1_000
await server.stop()

print(`${run.requests} requests in ${seconds.toFixed(1)} s`)
for (const [place, count] of [...run.counts].toSorted()) print(`  ${place.padEnd(12)}${count}`)
for (const { surface, problem, sent, answer } of run.findings) {
  print(`\n${surface} ${sent.target}: ${problem}\n  by ${sent.by}: ${sent.method} ${sent.path.slice(0, 300)}`)
  if (sent.body !== null) print(`  sent: ${sent.body.slice(0, 500)}`)
  print(`  answered: ${answer}`)
}
if (values.keep && run.findings.length > 0) {
  const found = run.findings.map(({ surface, sent }) => ({ surface, sent: withoutCredentials(sent) }))
  await Bun.write(keptPath, `${JSON.stringify([...kept, ...found], null, 2)}\n`)
}
print(run.findings.length === 0 ? '\nEverything was as it is declared.' : `\n${run.findings.length} findings`)
process.exit(run.findings.length === 0 ? 0 : 1)

/** Each server makes its own. */
function withoutCredentials(sent: KeptCase['sent']): KeptCase['sent'] {
  const { cookie: _cookie, origin: _origin, ...headers } = sent.headers
  if (/planted/.test(headers.authorization ?? '')) return { ...sent, headers }
  const { authorization: _authorization, ...rest } = headers
  return { ...sent, headers: rest }
}
