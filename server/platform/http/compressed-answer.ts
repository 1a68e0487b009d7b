import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, constants, gzip } from 'node:zlib'

/** The content codings of our answers, the best first: zstd takes half of the time of the others for the shorter result. */
const codings = ['zstd', 'br', 'gzip'] as const
type Coding = (typeof codings)[number]

/** Shorter answers fit into a packet or two as they are. */
const leastBytes = 1_000
/** Longer ones are compressed by other threads, as they take longer than a short call may wait. */
const longBytes = 262_144

const gzipAsync = promisify(gzip)
const brotliAsync = promisify(brotliCompress)

/**
 * The lowest levels. Of 68 kB of logs they leave 16 % (zstd), 17 % (br) and 19 % (gzip) in 0.07, 0.15 and 0.17 ms; the
 * levels above take two to four times as long for one or two hundredths less. Of the two libraries for gzip, this one
 * leaves a third less at its lowest level than zlib.
 */
const fastGzip = { level: 1, library: 'libdeflate' } as const
const fastBrotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }
const fastZstd = { level: 1 }

export interface EncodedBody {
  readonly coding: Coding
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** The same answer with another `accept-encoding` would have other bytes. */
export const isWorthCompressing = (length: number): boolean => length >= leastBytes

/**
 * Compresses the body of an answer for a caller that takes it so. Returns null for one that is sent as it is. Most
 * answers are short, and cost a look at their length and at the header only.
 */
export function compressAnswer(
  body: string | Uint8Array<ArrayBuffer>,
  acceptEncoding: string | null,
): EncodedBody | null | Promise<EncodedBody> {
  if (acceptEncoding === null || body.length === 0) return null
  if (!isWorthCompressing(body.length) && !mayRefusePlain(acceptEncoding)) return null
  const accepted = acceptedCoding(acceptEncoding)
  if (accepted === null || (!accepted.isRequired && !isWorthCompressing(body.length))) return null
  const { coding } = accepted
  if (body.length < longBytes) return { coding, bytes: compressNow(body, coding) }
  return compressElsewhere(body, coding).then((bytes) => ({ coding, bytes: new Uint8Array(bytes) }))
}

function compressNow(body: string | Uint8Array<ArrayBuffer>, coding: Coding): Uint8Array<ArrayBuffer> {
  switch (coding) {
    case 'zstd':
      return new Uint8Array(Bun.zstdCompressSync(body, fastZstd))
    case 'br':
      return new Uint8Array(brotliCompressSync(body, fastBrotli))
    case 'gzip':
      return Bun.gzipSync(body, fastGzip)
  }
}

function compressElsewhere(body: string | Uint8Array<ArrayBuffer>, coding: Coding): Promise<Uint8Array> {
  switch (coding) {
    case 'zstd':
      return Bun.zstdCompress(body, fastZstd)
    case 'br':
      return brotliAsync(body, fastBrotli)
    case 'gzip':
      return gzipAsync(body, { level: 1 })
  }
}

const mayRefusePlain = (acceptEncoding: string): boolean => /identity|\*/i.test(acceptEncoding)

/**
 * Returns the coding that RFC 9110 (section 12.5.3) lets us choose: that of the highest weight, and of several with the
 * same the best for us. Null: the body is sent as it is, since the caller likes it best so or takes nothing that we have.
 * `isRequired`: the caller takes nothing uncompressed.
 */
export function acceptedCoding(
  acceptEncoding: string,
  offered: readonly Coding[] = codings,
): { readonly coding: Coding; readonly isRequired: boolean } | null {
  const weights = weightsOf(acceptEncoding)
  const other = weights.get('*') ?? 0
  let coding: Coding | null = null
  let best = 0
  for (const each of offered) {
    const weight = weights.get(each) ?? other
    if (weight <= best) continue
    best = weight
    coding = each
  }
  // Without a weight of its own an uncompressed body is taken, and liked less than what is named.
  const plain = weights.get('identity') ?? (weights.get('*') === 0 ? 0 : null)
  if (coding === null || (plain !== null && plain > best)) return null
  return { coding, isRequired: plain === 0 }
}

/** What is no weight counts as none: nobody who cannot write one should get what they may not be able to read. */
function weightsOf(acceptEncoding: string): Map<string, number> {
  const weights = new Map<string, number>()
  for (const part of acceptEncoding.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((each) => each.trim())
    if (name === '') continue
    const [quality = 'q=1'] = parameters
    const weight = /^q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.exec(quality)?.[1] ?? '0'
    weights.set(name === 'x-gzip' ? 'gzip' : name, Number(weight))
  }
  return weights
}
