/** A process that answers as a node of an EVM chain does, with a block each second. Arguments: address, port. */

import { argv } from 'node:process'

const [hostname = '', port = ''] = argv.slice(2)
const toHex = (value: number): string => `0x${value.toString(16)}`

function resultOf(method: string): unknown {
  const second = Math.floor(Date.now() / 1000)
  if (method === 'eth_chainId') return toHex(31_337)
  return {
    number: toHex(second),
    timestamp: toHex(second),
    hash: `0x${second.toString(16).padStart(64, '0')}`,
  }
}

interface NodeCall {
  id: number
  method: string
}

const answerOf = ({ id, method }: NodeCall) => ({ jsonrpc: '2.0', id, result: resultOf(method) })

Bun.serve({
  hostname,
  port: Number(port),
  async fetch(request) {
    const asked = (await request.json()) as NodeCall | NodeCall[]
    return Response.json(Array.isArray(asked) ? asked.map(answerOf) : answerOf(asked))
  },
})
