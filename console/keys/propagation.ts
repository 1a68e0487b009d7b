/** Whether a change holds everywhere already. */
export interface Propagation {
  /** False: one process of the installation did not say in time that it knows. `changeText` says by when it will. */
  readonly propagated: boolean
}
