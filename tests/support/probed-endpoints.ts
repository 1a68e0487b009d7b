/** Endpoints of services that one can count on: good, dead and slow ones, on loopback. */
export interface ProbedEndpoints {
  readonly good: string
  /** Answers 500. */
  readonly dead: string
  /** Answers after four fifths of a second. */
  readonly slow: string
  stop(): Promise<void>
}

const slowMs = 800

export function startProbedEndpoints(): ProbedEndpoints {
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    routes: {
      '/good': new Response('ok'),
      '/dead': new Response('broken', { status: 500 }),
      '/slow': async () => {
        await Bun.sleep(slowMs)
        return new Response('ok')
      },
    },
    fetch: () => new Response('not here', { status: 404 }),
  })
  const address = `http://127.0.0.1:${server.port}`
  return {
    good: `${address}/good`,
    dead: `${address}/dead`,
    slow: `${address}/slow`,
    stop: () => server.stop(true),
  }
}

/** A service of the declarative file that is judged within a second or two. */
export const quicklyJudged = (
  id: string,
  name: string,
  provider: string,
  endpoint: string,
  policy: Readonly<Record<string, number>> = {},
) => ({
  id,
  name,
  family: 'http',
  provider,
  endpoint,
  policy: {
    intervalMs: 1_000,
    timeoutMs: 1_000,
    freshMs: 5_000,
    downForMs: 300,
    latencyForMs: 300,
    upForMs: 300,
    maxRttMs: 500,
    ...policy,
  },
})
