import type { Script } from '../../platform/shared-store/store-connection.ts'

/** Keys: presence and channel of the process. Gives 1 when it was present already. Nobody is present who is deaf. */
export const beatScript: Script = {
  name: 'beat',
  text: `
if redis.call('PUBLISH', KEYS[2], ARGV[2]) == 0 then return 1 end
local was = redis.call('EXISTS', KEYS[1])
redis.call('SET', KEYS[1], '1', 'PX', ARGV[1])
return was
`,
}

/** Key: presence. */
export const leaveScript: Script = { name: 'leave', text: `return redis.call('DEL', KEYS[1])` }

/** Key: presence. */
export const existsScript: Script = { name: 'exists', text: `return redis.call('EXISTS', KEYS[1])` }

/** Keys: presence and channel of the addressee. Gives how many heard it; -1: the addressee is gone, and nothing was sent. */
export const sendScript: Script = {
  name: 'send',
  text: `
if redis.call('EXISTS', KEYS[1]) == 0 then return -1 end
return redis.call('PUBLISH', KEYS[2], ARGV[1])
`,
}

/** Value: a pattern. Gives the channels at which somebody listens now. */
export const listenersScript: Script = {
  name: 'listeners',
  text: `return redis.call('PUBSUB', 'CHANNELS', ARGV[1])`,
}

/**
 * Keys: the session, and the presence of the process that is taken for gone. Values: that process, this one, life in ms.
 * Gives whose the session is now, and 1 when it has just become so. Scripts run one after the other: one process wins.
 */
export const takeScript: Script = {
  name: 'take',
  text: `
local home = redis.call('GET', KEYS[1])
if home and home ~= ARGV[1] then return {home, 0} end
if redis.call('EXISTS', KEYS[2]) == 1 then return {ARGV[1], 0} end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
return {ARGV[2], 1}
`,
}

/** Key: the session. Value: this process. */
export const leaveHomeScript: Script = {
  name: 'leave-home',
  text: `
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0
`,
}

/** Key: the session. */
export const findScript: Script = { name: 'find', text: `return redis.call('GET', KEYS[1])` }

/**
 * Keys: sessions that are here. Values: this process; then for each its life in ms where it was rebuilt here, else 0.
 * Makes the store know again what it has forgotten; gives the places of those that are elsewhere now.
 */
export const keepScript: Script = {
  name: 'keep',
  text: `
local elsewhere = {}
for index, key in ipairs(KEYS) do
  local home = redis.call('GET', key)
  local life = tonumber(ARGV[index + 1])
  if home and home ~= ARGV[1] then elsewhere[#elsewhere + 1] = index - 1
  elseif not home and life > 0 then redis.call('SET', key, ARGV[1], 'PX', life) end
end
return elsewhere
`,
}
