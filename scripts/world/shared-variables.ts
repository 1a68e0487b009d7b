/** The environment variables by which the processes of the tests find what one run of them shares. */
export const sharedVariables = {
  /** Address of a PostgreSQL. */
  database: 'GATEHOUSE_TEST_DATABASE_URL',
  /** Data folder of the template of the embedded PostgreSQL. */
  cluster: 'GATEHOUSE_TEST_CLUSTER',
  /** Folder of the bundled programs. */
  programs: 'GATEHOUSE_TEST_PROGRAMS',
} as const
