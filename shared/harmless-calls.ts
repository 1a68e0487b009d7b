import type { Family } from './chains.ts'

/** A call of each family that changes nothing and that every node answers at once: to try something with. */
export const harmlessCalls: Readonly<Partial<Record<Family, string>>> = {
  evm: 'eth_chainId',
  solana: 'getSlot',
  bitcoin: 'getblockcount',
  filecoin: 'Filecoin.StateNetworkName',
  cosmos: 'health',
  near: 'status',
  starknet: 'starknet_chainId',
  substrate: 'system_chain',
}
