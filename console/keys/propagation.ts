/** Whether a change holds everywhere already. */
export interface Propagation {
  /** False: one process of the installation did not say in time that it knows; it will within two seconds. */
  readonly propagated: boolean
}
