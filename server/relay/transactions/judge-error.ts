/**
 * What a node says with an error about a transaction that it was sent:
 * - `known`: it has this very transaction.
 * - `maybe-known`: it has one with the same nonce, which may be this one, in a block or in its pool.
 * - `rejected`: it does not want it.
 */
export type SendVerdict = 'known' | 'maybe-known' | 'rejected'

/** geth, Erigon, Nethermind, Besu, Reth, OpenEthereum, Cosmos' EVM, Conduit and Monad, in this order. */
const known =
  /already known|already_?known|known transaction|already imported|already in (?:the )?mempool|transaction already exists|already have transaction|already exists in mempool|tx already in (?:cache|mempool)/i

/** geth, Nethermind, Besu, Anvil and Hardhat, Erigon, OpenEthereum, zkSync; and what a pool says of a second transaction. */
const sameNonce =
  /nonce (?:is )?too low|oldnonce|nonce[ _]too[ _]low|nonce has already been used|expected nonce to be \d+ but got|already (?:been )?mined|lower than the current nonce|nonce .{0,40}(?:lower|less|below)|replacement transaction underpriced|replacement_underpriced|could not replace existing/i

const longestText = 2_000

/** `error` is the JSON text of an error object. */
export function judgeSendError(error: string): SendVerdict {
  const text = error.slice(0, longestText)
  if (known.test(text)) return 'known'
  return sameNonce.test(text) ? 'maybe-known' : 'rejected'
}
