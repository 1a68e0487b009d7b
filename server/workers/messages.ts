/** What supervisor and workers tell each other over the channel that the runtime makes between them. */

/** What a worker needs beyond the environment, which all have in common. */
export interface WorkerOrder {
  readonly number: number
  /** Whether a person waits for its greeting. */
  readonly isGreeting: boolean
  readonly dataDir: string
  readonly supervisorDataDir: string
  readonly port: number
  readonly databaseUrl: string
  readonly storeUrl: string
  /** In base64. */
  readonly masterKeys: readonly string[]
  readonly metricsToken: string
}

export type ToWorker =
  | { readonly kind: 'start'; readonly order: WorkerOrder }
  /** Another one has taken its place; so many processes listen at the port, the newest of which was the last to begin. */
  | { readonly kind: 'replaced'; readonly listeners: number }

export type ToSupervisor =
  /** It serves. The greeting is nothing unless it was asked for. */
  | { readonly kind: 'ready'; readonly greeting: string }
  | { readonly kind: 'failed'; readonly reason: string }
  /** A sign of life, every second from its start to its end: its event loop turns. */
  | { readonly kind: 'alive' }
