import { createSocket } from 'node:dgram'
import { Resolver } from 'node:dns/promises'

import ipaddr from 'ipaddr.js'

import type { Resolve } from '../../../server/platform/egress.ts'
import type { NameRecords } from './cases.ts'

const port = 5353
const types = { a: 1, alias: 5, aaaa: 28 } as const
const headerLength = 12
const classInternet = 1
/** Points back to the name in the question (RFC 1035 section 4.1.4). */
const questionName = Buffer.from([0xc0, headerLength])

export interface NameServer {
  /** Makes the next question for every name its first one again. */
  forgetQuestions(): void
}

/** An authoritative name server for `zone` on loopback, UDP only. Answers have a time to live of zero. */
export async function startNameServer(zone: Readonly<Record<string, NameRecords>>): Promise<NameServer> {
  const questions = new Map<string, number>()
  const socket = createSocket('udp4')

  socket.on('message', (query, peer) => {
    const { name, type, end } = readQuestion(query)
    const key = `${name} ${type}`
    const asked = questions.get(key) ?? 0
    questions.set(key, asked + 1)
    const records = zone[name]
    const current = asked > 0 ? (records?.afterwards ?? records) : records
    socket.send(answer(query.subarray(0, end), type, current, zone), peer.port, peer.address)
  })

  await new Promise<void>((resolve) => socket.bind(port, '127.0.0.1', () => resolve()))
  return { forgetQuestions: () => questions.clear() }
}

/** Asks that server for both families. */
export function resolverOfNamespace(): Resolve {
  const resolver = new Resolver({ timeout: 1_000, tries: 1 })
  resolver.setServers([`127.0.0.1:${port}`])
  return async (host) => {
    const families = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    return families.flatMap((family) => (family.status === 'fulfilled' ? family.value : []))
  }
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = headerLength
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}

function answer(
  question: Buffer,
  type: number,
  records: NameRecords | undefined,
  zone: Readonly<Record<string, NameRecords>>,
): Buffer {
  const aliased = records?.alias === undefined ? undefined : zone[records.alias]
  const owner = records?.alias === undefined ? questionName : encodeName(records.alias)
  const addresses = addressesOf(aliased ?? records, type).map((bytes) => record(owner, type, bytes))
  const alias =
    records?.alias === undefined ? [] : [record(questionName, types.alias, encodeName(records.alias))]
  const answers = [...alias, ...addresses]

  const header = Buffer.alloc(headerLength)
  question.copy(header, 0, 0, 2)
  const responseFlags = 0x8580 // response, authoritative, recursion as asked
  const noSuchName = 3
  header.writeUInt16BE(records === undefined ? responseFlags | noSuchName : responseFlags, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(answers.length, 6)
  return Buffer.concat([header, question.subarray(headerLength), ...answers])
}

function addressesOf(records: NameRecords | undefined, type: number): Buffer[] {
  const texts = type === types.a ? records?.a : type === types.aaaa ? records?.aaaa : []
  return (texts ?? []).map((text) => Buffer.from(ipaddr.parse(text).toByteArray()))
}

function record(owner: Buffer, type: number, content: Buffer): Buffer {
  const fixed = Buffer.alloc(10) // type, class, time to live of zero, length
  fixed.writeUInt16BE(type, 0)
  fixed.writeUInt16BE(classInternet, 2)
  fixed.writeUInt16BE(content.length, 8)
  return Buffer.concat([owner, fixed, content])
}

function encodeName(name: string): Buffer {
  const labels = name
    .split('.')
    .flatMap((label) => [Buffer.from([label.length]), Buffer.from(label, 'latin1')])
  return Buffer.concat([...labels, Buffer.from([0])])
}
