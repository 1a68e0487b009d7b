/** A refusal in the words of OAuth (RFC 6749, section 5.2). Its text is ours, and never repeats what was sent. */
export class OAuthRefusal extends Error {
  override readonly name = 'OAuthRefusal'
  readonly code: string
  readonly status: number
  readonly retryAfterSec: number | null

  constructor(code: string, publicText: string, status = 400, retryAfterSec: number | null = null) {
    super(publicText)
    this.code = code
    this.status = status
    this.retryAfterSec = retryAfterSec
  }
}

/** One text, whatever was wrong with a client's proof. */
export const clientRefused = (): OAuthRefusal =>
  new OAuthRefusal('invalid_client', 'The client is not known, or did not prove that it is this client', 401)
