import { UsageNumbers } from '../../shared/usage.ts'
import { usageClasses } from '../../shared/usage-splits.ts'

const numbers = Object.keys(UsageNumbers.shape)

export const keyColumns = ['keyId', 'name', 'keyHint', 'endpoint', 'bucket', ...numbers, 'lastUsedAt']
export const methodColumns = ['method', 'bucket', ...numbers, 'lastUsedAt']
export const keyMethodColumns = [
  'keyId',
  'name',
  'keyHint',
  'endpoint',
  'method',
  'bucket',
  ...numbers,
  'lastUsedAt',
]
export const classColumns = ['bucket', ...usageClasses]
export const upstreamColumns = ['bucket', 'endpoint', 'upstream', 'class', 'attempts', 'meanMs', 'keyId']
