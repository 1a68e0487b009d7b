/** Ends streams whose account may see something else than when they began. */
export interface StreamEnds {
  /** Aborts when a session of the account ends, or what it may do changes. */
  of(accountId: string): AbortSignal
  end(accountId: string): void
  endAll(): void
}

/** One signal for all streams of an account: those of its other browsers come again at once. */
export function createStreamEnds(): StreamEnds {
  const controllers = new Map<string, AbortController>()

  function end(accountId: string): void {
    controllers.get(accountId)?.abort()
    controllers.delete(accountId)
  }

  return {
    of(accountId) {
      const controller = controllers.get(accountId) ?? new AbortController()
      controllers.set(accountId, controller)
      return controller.signal
    },
    end,
    endAll() {
      for (const accountId of [...controllers.keys()]) end(accountId)
    },
  }
}
