/** An answer that is none of a procedure, be it of a proxy, or of the server before it looked at the call. */
export class BareAnswer extends Error {
  override readonly name = 'BareAnswer'
  readonly status: number
  /** What the server says; null where it says nothing, or it is not the server. */
  readonly said: string | null

  constructor(status: number, said: string | null) {
    super(said ?? `HTTP ${status}`)
    this.status = status
    this.said = said
  }
}

/** Rejects with `BareAnswer` where the answer is a refusal, and not that of a procedure. */
export async function fetchAnswer(address: RequestInfo | URL, init?: object): Promise<Response> {
  const response = await fetch(address, init)
  if (response.ok) return response
  const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '')
  const said = isJson ? saidIn(await response.clone().text()) : null
  if (isJson && said === null) return response
  throw new BareAnswer(response.status, said)
}

/** The message of a refusal as `shared/faults.ts` has it; those of procedures have numbers for codes. */
function saidIn(text: string): string | null {
  try {
    const { code, message } = JSON.parse(text).error
    return typeof code === 'string' ? String(message) : null
  } catch {
    return null
  }
}
