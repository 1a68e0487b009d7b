/** The store did not answer in time, refused, or is not connected. What was asked may still have been done. */
export class StoreLost extends Error {}

/**
 * The store answered that it does not do this (it is read-only, full, wants a password, …), and would say so again. The
 * message completes "the store: …"; it names no address, and nothing secret.
 */
export class StoreRefused extends StoreLost {}

/** For what may as well not happen. Throws any other error. */
export function ignoreLoss(error: unknown): void {
  if (!(error instanceof StoreLost)) throw error
}

/**
 * Settles as `work` does, or rejects with StoreLost after `ms`. The time has two halves, because a process that stood still
 * finds its timers over before it reads what came meanwhile: one half is over then, and in the other one it reads the answer.
 */
export async function within<Value>(ms: number, work: Promise<Value>): Promise<Value> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const giveUp = (): void => reject(new StoreLost(`it does not answer within ${ms} ms`))
  let timer = setTimeout(() => {
    timer = setTimeout(giveUp, ms / 2)
  }, ms / 2)
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** What a store says only for a while: it reads its data, runs another script, or another one is taking over. */
const passingAnswers = /^(?:LOADING|BUSY|TRYAGAIN|MASTERDOWN|CLUSTERDOWN|MOVED|ASK|READONLY|UNBLOCKED)\b/

/** Answers that another connection may not get: the server has another part now than when it was connected to. */
const misplacedAnswers = /^(?:MOVED|ASK|READONLY|MASTERDOWN|CLUSTERDOWN|NOAUTH|WRONGPASS)\b/

const sentences: readonly (readonly [RegExp, string])[] = [
  [/^NOAUTH\b/, 'it wants a password: put user and password into REDIS_URL'],
  [
    /^(?:WRONGPASS|ERR invalid password|ERR AUTH)/,
    'it does not accept the user or the password of REDIS_URL',
  ],
  [
    /^NOPERM\b/,
    'the user of REDIS_URL may not do what is needed: give it +@read +@write +@scripting +@connection +time +info, and the keys ' +
      'of GATEHOUSE_STORE_PREFIX',
  ],
  [/^READONLY\b/, 'it is a replica, which can only be read: REDIS_URL must name the primary'],
  [/^(?:MOVED|ASK)\b/, 'the keys are at another node of its cluster'],
  [/^CLUSTERDOWN\b/, 'its cluster does not serve all keys'],
  [/^OOM\b/, 'its memory is full'],
  [/^MISCONF\b/, 'it cannot save its data, and takes no more until it can'],
  [/^NOREPLICAS\b/, 'it has too few replicas to take anything'],
  [/^LOADING\b/, 'it reads its data'],
  [/^BUSY\b/, 'it runs a script of somebody else'],
]

const tlsSentences: Readonly<Record<string, string>> = {
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name than that in REDIS_URL',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
}
const unknownAuthority =
  /^(?:UNABLE_TO_(?:VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT(?:_LOCALLY)?)|(?:DEPTH_ZERO_)?SELF_SIGNED_CERT(?:_IN_CHAIN)?)$/

const networkSentences: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nobody listens at its address',
  ENOTFOUND: 'its host name is not known',
  EHOSTUNREACH: 'there is no way to its address',
  ENETUNREACH: 'there is no way to its address',
  ETIMEDOUT: 'it does not answer; does it speak TLS as REDIS_URL says?',
  ECONNRESET: 'it ends the connection; does it speak TLS as REDIS_URL says?',
}

/** All that the client says of a connection that was closed for a reason it does not know. */
const closedMessage = 'Connection is closed.'

/** Returns an error of the client as one of ours, in words for operators. */
export function storeFailureOf(error: unknown): StoreLost {
  if (error instanceof StoreLost) return error
  if (!(error instanceof Error)) return new StoreLost(String(error))
  const { message } = error
  const code = 'code' in error ? String(error.code) : ''
  if (isAnswer(error)) {
    const sentence =
      sentences.find(([pattern]) => pattern.test(message))?.[1] ??
      `it answers with an error: ${firstWords(message)}`
    const Kind = passingAnswers.test(message) ? StoreLost : StoreRefused
    return new Kind(sentence, { cause: error })
  }
  if (unknownAuthority.test(code)) {
    const sentence =
      'its certificate is signed by an authority that is not known here: name its file in REDIS_URL, ?ca=FILE'
    return new StoreRefused(sentence, { cause: error })
  }
  const ofTls = tlsSentences[code]
  if (ofTls !== undefined) return new StoreRefused(ofTls, { cause: error })
  const sentence = message === closedMessage ? networkSentences['ECONNRESET'] : networkSentences[code]
  return new StoreLost(sentence ?? message, { cause: error })
}

/** Whether the store said this, rather than the way to it. */
export const isAnswer = (error: unknown): boolean => error instanceof Error && error.name === 'ReplyError'

/** Whether a new connection may help against what the store answered. */
export const isMisplaced = (error: unknown): boolean =>
  isAnswer(error) && error instanceof Error && misplacedAnswers.test(error.message)

/** The kind of error and a few words. Arguments of commands, which some answers repeat, come after a quote. */
const firstWords = (message: string): string => message.split(/['"`]/, 1)[0]?.slice(0, 100).trim() ?? ''
