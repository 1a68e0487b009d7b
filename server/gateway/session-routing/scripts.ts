import type { Script } from '../../platform/shared-store/store-connection.ts'

/**
 * Keys: presence and channel of the process. Returns 1 when the presence key existed. A process that does not
 * hear its own channel gets none.
 */
export const heartbeatScript: Script = {
  name: 'beat',
  text: `
if redis.call('PUBLISH', KEYS[2], ARGV[2]) == 0 then return 1 end
local was = redis.call('EXISTS', KEYS[1])
redis.call('SET', KEYS[1], '1', 'PX', ARGV[1])
return was
`,
}

/** Key: presence. Removes it. */
export const removePresenceScript: Script = { name: 'leave', text: `return redis.call('DEL', KEYS[1])` }

/** Key: presence. Returns 1 when it exists. */
export const existsScript: Script = { name: 'exists', text: `return redis.call('EXISTS', KEYS[1])` }

/**
 * Keys: presence and channel of the receiver. Returns the number of listeners, or -1 when the receiver is gone;
 * nothing was sent then.
 */
export const sendScript: Script = {
  name: 'send',
  text: `
if redis.call('EXISTS', KEYS[1]) == 0 then return -1 end
return redis.call('PUBLISH', KEYS[2], ARGV[1])
`,
}

/** Value: a pattern. Returns the channels that have a listener. */
export const listenersScript: Script = {
  name: 'listeners',
  text: `return redis.call('PUBSUB', 'CHANNELS', ARGV[1])`,
}

/**
 * Keys: the session, and the presence of the process considered gone. Values: that process, this one, lifetime
 * in ms. Returns the owner, and 1 when it changed. The store runs one script at a time, so exactly one process
 * wins.
 */
export const claimOwnerScript: Script = {
  name: 'take',
  text: `
local owner = redis.call('GET', KEYS[1])
if owner and owner ~= ARGV[1] then return {owner, 0} end
if redis.call('EXISTS', KEYS[2]) == 1 then return {ARGV[1], 0} end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
return {ARGV[2], 1}
`,
}

/** Key: the session. Value: this process. Removes the owner if it is this process. */
export const releaseOwnerScript: Script = {
  name: 'leave-home',
  text: `
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0
`,
}

/** Key: the session. Returns its owner. */
export const findOwnerScript: Script = { name: 'find', text: `return redis.call('GET', KEYS[1])` }

/**
 * Keys: local sessions. Values: this process; then for each session its lifetime in ms where it was rebuilt
 * here, else 0. Restores entries that the store has lost, and returns the indexes of sessions that another
 * process owns.
 */
export const renewOwnersScript: Script = {
  name: 'keep',
  text: `
local elsewhere = {}
for index, key in ipairs(KEYS) do
  local owner = redis.call('GET', key)
  local life = tonumber(ARGV[index + 1])
  if owner and owner ~= ARGV[1] then elsewhere[#elsewhere + 1] = index - 1
  elseif not owner and life > 0 then redis.call('SET', key, ARGV[1], 'PX', life) end
end
return elsewhere
`,
}
