/** Of an address that may be that of a whole company, with one wrong key in a job that runs often. */
export const badKeysPerMinute = 1_000
