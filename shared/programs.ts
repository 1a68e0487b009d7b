/** Set by the bundler of a release (`scripts/release.ts`); in a clone nobody defines it. */
declare const GATEHOUSE_RELEASE: unknown

const isRelease = typeof GATEHOUSE_RELEASE !== 'undefined'

/** What people type to run the programs: in a release its launcher, in a clone the scripts of package.json. */
export const programs = isRelease
  ? { start: './gatehouse start', commandLine: './gatehouse', verifier: './gatehouse verifier' }
  : { start: 'npm start', commandLine: 'npm run --silent gatehouse --', verifier: 'npm run verifier --' }
