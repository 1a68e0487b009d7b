/** What a peer sends on one connection before it closes it. */
export interface FuzzedResponse {
  readonly bytes: Buffer
  /** Whether it answers a `HEAD` request. */
  readonly isBodiless: boolean
}

/** Between 0 and 1, the same for the same seed. */
export type SeededRandom = () => number

/** Mulberry32. */
export function randomOf(seed: number): SeededRandom {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A response by the grammar of RFC 9112, mostly; then some of its bytes are changed. */
export function fuzzedResponse(seed: number): FuzzedResponse {
  const random = randomOf(seed)
  const text = `${interimsOf(random)}${responseOf(random)}${surplusOf(random)}`
  const bytes = Buffer.from(text, 'latin1')
  return { bytes: random() < 0.3 ? mutated(bytes, random) : bytes, isBodiless: random() < 0.08 }
}

const pick = <T>(random: SeededRandom, values: readonly T[]): T =>
  values[Math.floor(random() * values.length)] as T
const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make)

/** The first of the values unless chance has it otherwise. */
const mostly = <T>(random: SeededRandom, share: number, values: readonly T[]): T =>
  random() < share ? (values[0] as T) : pick(random, values)

const versions = ['HTTP/1.1', 'HTTP/1.0', 'HTTP/1.2', 'HTTP/2.0', 'HTTP/0.9', 'http/1.1', 'HTTP/1.10', 'ICY']
const statuses = [
  '200',
  '204',
  '304',
  '205',
  '206',
  '404',
  '429',
  '500',
  '100',
  '101',
  '103',
  '199',
  '600',
  '099',
  '20',
  '2000',
]
const reasons = [' OK', '', ' ', ' not\tfound', ' \xe4', ' a\0b', ' a\rb', '  OK ']
const lineEnds = ['\r\n', '\n', '\r', '\r\r\n', '\n\r', '']
const values = [
  'a',
  '',
  ' a ',
  'a\tb',
  '\xe9',
  'a, b',
  '"q;r"',
  'a\0b',
  'a\x7f',
  'a\rb',
  'a\nb',
  'a\r\n b',
  '\x01',
]
const names = [
  'x',
  'X-Name',
  'date',
  'set-cookie',
  'x y',
  'x ',
  ' x',
  'x\0',
  'x:',
  '',
  'x\xe9',
  'upgrade',
  'trailer',
  '\tx',
  '(x)',
]
const lengths = [
  '0',
  '1',
  '5',
  '05',
  '+5',
  '-1',
  '5, 5',
  '5 ',
  '0x5',
  '5a',
  '',
  '99999999999999999999',
  '4294967301',
]
const encodings = [
  'chunked',
  'Chunked',
  'gzip, chunked',
  'chunked, gzip',
  'identity',
  'chunked, chunked',
  ' chunked ',
  'xchunked',
  'chunked;q=1',
  '',
]
const connections = [
  'keep-alive',
  'close',
  'close, keep-alive',
  'Keep-Alive',
  'upgrade',
  'closed',
  ',close,',
  '',
]
const words = [
  '',
  'a',
  'hello',
  '{"id":1}',
  'x'.repeat(40),
  '\r\n',
  'a\r\n\r\nb',
  'HTTP/1.1 200 OK\r\n\r\n',
  '0\r\n\r\n',
]

const lineEnd = (random: SeededRandom): string => mostly(random, 0.995, lineEnds)

function interimsOf(random: SeededRandom): string {
  if (random() < 0.88) return ''
  const count = mostly(random, 0.7, [1, 2, 8, 9])
  return times(count, () => {
    const status = pick(random, ['100', '103', '102', '150'])
    const fields = random() < 0.4 ? fieldOf(random) : ''
    return `HTTP/1.1 ${status} Wait${lineEnd(random)}${fields}${lineEnd(random)}`
  }).join('')
}

function responseOf(random: SeededRandom): string {
  const version = mostly(random, 0.93, versions)
  const status = mostly(random, 0.75, statuses)
  const statusLine = `${version}${mostly(random, 0.98, [' ', '  ', '\t', ''])}${status}${mostly(random, 0.85, reasons)}${lineEnd(random)}`
  const body = mostly(random, 0.4, ['length', 'chunked', 'close', 'mixed'] as const)
  const word = pick(random, words)
  const fields = times(Math.floor(random() * 4), () => fieldOf(random))
  if (body === 'length')
    fields.push(field(random, 'content-length', mostly(random, 0.85, [String(word.length), ...lengths])))
  if (body === 'chunked') fields.push(field(random, 'transfer-encoding', mostly(random, 0.92, encodings)))
  if (body === 'mixed') fields.push(fieldOf(random), field(random, 'content-length', pick(random, lengths)))
  if (random() < 0.3)
    fields.push(
      field(random, mostly(random, 0.9, ['connection', 'proxy-connection']), pick(random, connections)),
    )
  const head = `${statusLine}${shuffled(random, fields).join('')}${lineEnd(random)}`
  return body === 'chunked' || (body === 'mixed' && random() < 0.5) ? head + chunksOf(random) : head + word
}

const shuffled = <T>(random: SeededRandom, all: readonly T[]): T[] =>
  all
    .map((one) => ({ one, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ one }) => one)

const field = (random: SeededRandom, name: string, value: string): string =>
  `${mostly(random, 0.95, [name, name.toUpperCase(), `${name} `, ` ${name}`, `${name}\t`])}:${mostly(random, 0.93, [' ', '', '\t', '  ', '\r\n '])}${value}${lineEnd(random)}`

function fieldOf(random: SeededRandom): string {
  const kind = random()
  if (kind < 0.05) return field(random, 'content-length', pick(random, lengths))
  if (kind < 0.1) return field(random, 'transfer-encoding', pick(random, encodings))
  if (kind < 0.2) return field(random, 'connection', pick(random, connections))
  return field(
    random,
    mostly(random, 0.94, [pick(random, names.slice(0, 4)), ...names]),
    mostly(random, 0.94, [pick(random, values.slice(0, 7)), ...values]),
  )
}

const extensions = [
  '',
  ';a',
  ';a=b',
  ';a="b c"',
  '; a',
  ' ;a',
  ';',
  ';a=',
  ';=b',
  ';a="b',
  ';a="\\""',
  ';\0',
  ' ',
  '\t',
  ';a b',
  ';a\xe9',
  ';a;b=c',
  `;x=${'y'.repeat(500)}`,
]
const sizePrefixes = ['', '0', '000', '0x', '+', '-', ' ', '\t']
const lastChunks = ['0', '00', '0;a=b', '0 ', '', '-0', '0x0', '1']

function chunksOf(random: SeededRandom): string {
  const chunks = times(Math.floor(random() * 4), () => {
    const word = pick(random, words.slice(1))
    const size = mostly(random, 0.97, [word.length, word.length + 1, word.length - 1, 0])
    const hex = random() < 0.5 ? size.toString(16) : size.toString(16).toUpperCase()
    const line = `${mostly(random, 0.97, sizePrefixes)}${hex}${mostly(random, 0.88, extensions)}${lineEnd(random)}`
    return `${line}${word}${lineEnd(random)}`
  })
  const trailers = random() < 0.2 ? times(1 + Math.floor(random() * 2), () => fieldOf(random)) : []
  return `${chunks.join('')}${mostly(random, 0.9, lastChunks)}${lineEnd(random)}${trailers.join('')}${lineEnd(random)}`
}

const surplusOf = (random: SeededRandom): string =>
  random() < 0.85
    ? ''
    : pick(random, ['\r\n', 'x', '\0', 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n', 'HTTP/1.1 2'])

const strangeBytes = [
  0x00, 0x0a, 0x0d, 0x20, 0x09, 0x3a, 0x2c, 0x3b, 0x22, 0x7f, 0x80, 0xff, 0x30, 0x31, 0x0b,
]

function mutated(bytes: Buffer, random: SeededRandom): Buffer {
  let changed = bytes
  for (let count = 1 + Math.floor(random() * 3); count > 0; count--) {
    const at = Math.floor(random() * (changed.length + 1))
    const [before, after] = [changed.subarray(0, at), changed.subarray(at)]
    const strange = Buffer.from([pick(random, strangeBytes)])
    const kind = random()
    if (kind < 0.3) changed = Buffer.concat([before, strange, after])
    else if (kind < 0.55) changed = Buffer.concat([before, strange, after.subarray(1)])
    else if (kind < 0.75) changed = Buffer.concat([before, after.subarray(1 + Math.floor(random() * 4))])
    else if (kind < 0.9)
      changed = Buffer.concat([before, after.subarray(0, 1 + Math.floor(random() * 20)), after])
    else changed = before
  }
  return changed
}
