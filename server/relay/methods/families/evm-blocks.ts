import { type BlockForm, type BlockReference, blockAt, placeAt } from '../method-table.ts'

export const anyForm: readonly BlockForm[] = ['number', 'tag', 'hash', 'object']

/** A block whose state is asked for, as in EIP-1898. */
export const stateAt = (position: number): BlockReference => blockAt(position, anyForm, 'latest')

export const heightAt = (position: number): BlockReference => blockAt(position, ['number', 'tag'])

export const logRange: BlockReference = {
  kind: 'range',
  from: placeAt(0, { member: 'fromBlock' }),
  to: placeAt(0, { member: 'toBlock' }),
  hash: placeAt(0, { member: 'blockHash' }),
  forms: ['number', 'tag'],
  absent: 'latest',
}

/** The blocks of a filter of traces, which takes no hash. */
export const traceRange: BlockReference = { ...logRange, hash: null }
