/**
 * Attempts to reach a peer at one of its addresses: resolves when the connection is usable. As soon as the address is reached
 * it asks `isFirst`, and where another one was before, it closes what it opened.
 */
type AddressAttempt = (address: string, isFirst: () => boolean) => Promise<unknown>

/**
 * Connects to the address that is reached first (RFC 8305, section 5, without its order of families): the next one is tried when
 * the one before has failed, or when `later` calls, which returns what calls it off. Once an address is reached no other one is
 * tried. Resolves to it; rejects with its failure, or with the latest one when none was reached. `addresses` is not empty.
 */
export function firstReached(
  addresses: readonly string[],
  attempt: AddressAttempt,
  later: (next: () => void) => () => void,
): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let begun = 0
  let failed = 0
  let isReached = false
  let callOff: (() => void) | null = null

  function tryNext(): void {
    callOff?.()
    callOff = null
    const address = addresses[begun]
    if (address === undefined) return
    begun++
    if (begun < addresses.length) callOff = later(tryNext)
    let isChosen = false
    const isFirst = (): boolean => {
      if (isReached) return false
      isReached = isChosen = true
      callOff?.()
      return true
    }
    attempt(address, isFirst).then(
      () => resolve(address),
      (error: unknown) => {
        failed++
        if (isChosen || failed === addresses.length) reject(error)
        else if (!isReached) tryNext()
      },
    )
  }

  tryNext()
  return promise
}
