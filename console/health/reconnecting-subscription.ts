/** The state of live updates. `lost`, and `crowded` (refused as one too many), are tried again. */
export type FeedState = 'connecting' | 'live' | 'lost' | 'crowded' | 'paused'

/** `pending` is an open connection, `connecting` with an error one that was lost. */
interface ConnectionChange {
  readonly state: 'idle' | 'connecting' | 'pending'
  readonly error: unknown
}

/** The callbacks of a subscription, in the form of tRPC's. */
export interface SubscriptionEvents<Event> {
  onData: (event: Event) => void
  onConnectionStateChange: (change: ConnectionChange) => void
  onError: (error: unknown) => void
  onComplete: () => void
}

export interface ReconnectingSubscription {
  /** Closes the connection until `resume`, for a page in the background. */
  pause(): void
  resume(): void
  stop(): void
}

interface Listener<Event> {
  readonly onEvent: (event: Event) => void
  readonly onState: (state: FeedState) => void
  /** Whether an error says that there are too many subscriptions. */
  readonly isCrowded: (error: unknown) => boolean
}

const firstRetryMs = 1_000
const maxRetryMs = 30_000

/**
 * A subscription that is opened again whenever it ends. The browser itself comes again after a lost connection, but
 * not after an answer other than 200, as from a proxy whose server is just being restarted. `isPaused`: it begins as
 * after `pause`.
 */
export function subscribeWithReconnect<Event>(
  subscribe: (events: SubscriptionEvents<Event>) => { unsubscribe(): void },
  { onEvent, onState, isCrowded }: Listener<Event>,
  isPaused = false,
): ReconnectingSubscription {
  let current: { unsubscribe(): void } | null = null
  let retry: ReturnType<typeof setTimeout> | undefined
  let retryMs = firstRetryMs
  let run = 0

  function open(): void {
    run += 1
    const ownRun = run
    const isCurrent = (): boolean => ownRun === run
    const opened = subscribe({
      onData: (event) => isCurrent() && onEvent(event),
      onConnectionStateChange: (change) => isCurrent() && connectionChanged(change),
      onError: (error) => isCurrent() && openLater(isCrowded(error) ? 'crowded' : 'lost'),
      onComplete: () => isCurrent() && openLater('lost'),
    })
    if (isCurrent()) current = opened
    else opened.unsubscribe() // it failed before `subscribe` returned
  }

  function connectionChanged({ state, error }: ConnectionChange): void {
    if (state === 'pending') {
      retryMs = firstRetryMs
      onState('live')
    } else if (state === 'connecting') onState(error === null ? 'connecting' : 'lost')
  }

  function openLater(state: 'lost' | 'crowded'): void {
    close()
    onState(state)
    if (state === 'crowded') retryMs = maxRetryMs // it was answered, and somebody has to close something first
    retry = setTimeout(open, retryMs)
    retryMs = Math.min(maxRetryMs, retryMs * 2)
  }

  function close(): void {
    run += 1
    clearTimeout(retry)
    current?.unsubscribe()
    current = null
  }

  function pause(): void {
    close()
    onState('paused')
  }

  if (isPaused) pause()
  else open()
  return {
    pause,
    resume() {
      close()
      onState('connecting')
      retryMs = firstRetryMs
      open()
    },
    stop: close,
  }
}
