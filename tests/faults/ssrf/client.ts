/**
 * A process that asks one URL and tells how it went, as one line of JSON: its environment and its memory are its
 * own. Arguments: `guarded` or `bare`, URL, bytes of body to accept, how often to ask.
 */
import { systemClock } from '../../../server/platform/clock.ts'
import { createEgress, EgressError } from '../../../server/platform/egress.ts'

export interface ClientReport {
  outcome: string
  /** Most resident memory over what the process had after a first, small answer. */
  grownMb: number
}

const [how, url = '', maxBytesText, timesText] = process.argv.slice(2)
const maxBytes = Number(maxBytesText)
const bytesPerMb = 1_048_576
/** Memory is watched for a while after each answer: whatever still inflates a cancelled body does so unseen. */
const afterwardsMs = 100

const egress = createEgress({
  clock: systemClock,
  allowPrivate: ['127.0.0.0/8'],
  schemes: ['http'],
})

async function askGuarded(target: string): Promise<string> {
  try {
    return (await egress.request({ url: target, timeoutMs: 10_000, maxBytes })).text
  } catch (error) {
    if (error instanceof EgressError) return error.code
    throw error
  }
}

/** What one would write without knowing better: the size is looked at when all of it is there. */
async function askBare(target: string): Promise<string> {
  const text = await (await fetch(target)).text()
  return text.length > maxBytes ? 'TOO_LARGE' : text
}

const ask = how === 'bare' ? askBare : askGuarded
const residentMb = (): number => process.memoryUsage().rss / bytesPerMb

await ask(new URL('/', url).href)
const beforeMb = residentMb()
let mostMb = beforeMb
const watch = setInterval(() => {
  mostMb = Math.max(mostMb, residentMb())
}, 2)
let outcome = ''
for (let time = 0; time < Number(timesText); time += 1) {
  outcome = await ask(url)
  await Bun.sleep(afterwardsMs)
  Bun.gc(true) // what one exchange leaves to be collected is not the next one's growth
}
clearInterval(watch)

const report: ClientReport = { outcome, grownMb: Math.round(Math.max(mostMb, residentMb()) - beforeMb) }
process.stdout.write(`${JSON.stringify(report)}\n`)
process.exit(0)
