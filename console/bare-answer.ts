/** An answer that is none of a procedure, be it of an overloaded server or of a proxy before it. */
export class BareAnswer extends Error {
  override readonly name = 'BareAnswer'
  readonly status: number

  constructor(status: number) {
    super(`HTTP ${status}`)
    this.status = status
  }
}

/** Rejects with `BareAnswer` where the answer is a refusal in no form of ours. */
export async function fetchAnswer(address: RequestInfo | URL, init?: object): Promise<Response> {
  const response = await fetch(address, init)
  const isOurs = /\bjson\b/.test(response.headers.get('content-type') ?? '')
  if (!response.ok && !isOurs) throw new BareAnswer(response.status)
  return response
}
