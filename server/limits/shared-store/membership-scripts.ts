import type { Script } from '../../platform/shared-store/store-connection.ts'
import { longestLedgerMs, longestWindowMs, readClock } from './scripts.ts'

/**
 * What runs inside the store about the nodes that share it. The epoch is a hash: the run of the store's process in which
 * nothing gets lost (`run`), its id, when it began (`since`), the latest beat of a node (`beat`), by how much the instant
 * is ahead of the store's clock (`ahead`, µs), how many nodes it misses (`missing`), and of each node the roster it knows
 * (`seen:`), the one it came with (`joined:`) and whether it may ask (`seat:`). Beside it stand the living nodes by their
 * last beat, the departed ones by when they were given up, and the names of those whose grants are expected to be posted,
 * and were. A node that departed is called `node@when` there: it may come back and depart again.
 */

const countMissing = `
local function countMissing(epoch, expected, posted)
  local missing = {}
  for _, name in ipairs(redis.call('SMEMBERS', expected)) do
    local node = string.match(name, '^([^@]+)')
    local isPosted = redis.call('SISMEMBER', posted, name) == 1 or redis.call('SISMEMBER', posted, node) == 1
    if not isPosted then missing[#missing + 1] = name end
  end
  redis.call('HSET', epoch, 'missing', #missing)
  return missing
end
`

/** It loses its seat in the same step: to who departed nothing is granted. */
const giveUp = `
local function giveUp(epoch, nodes, departed, node, now)
  redis.call('HINCRBY', epoch, 'roster', 1)
  redis.call('ZREM', nodes, node)
  redis.call('ZADD', departed, whole(now), node)
  redis.call('HDEL', epoch, 'seen:' .. node, 'joined:' .. node, 'seat:' .. node)
end
`

/**
 * Says that a node lives, and which nodes of an earlier epoch it knows of. The first that meets another run of the store
 * begins an epoch. A node has a seat when all others know of it; one that is silent too long is given up, unless the
 * store itself has slept.
 * KEYS epoch · nodes · expected · posted · departed · rings in which the node holds something. ARGV run id · node · how
 * long a node counts as alive (µs) · epoch and number of the roster it knows, or nothing · names of all in that roster.
 * Answers id · age of the epoch (µs) · 1 with a seat · number of the roster · living nodes · departed nodes and when ·
 * names that are missing.
 */
export const joinScript: Script = {
  name: 'join',
  text: `${readClock}${countMissing}${giveUp}
local epoch, nodes, expected, posted, departed = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local node, alive = ARGV[2], tonumber(ARGV[3])
if redis.call('HGET', epoch, 'run') ~= ARGV[1] then
  redis.call('DEL', epoch, nodes, expected, posted)
  redis.call('HSET', epoch, 'run', ARGV[1], 'id', ARGV[1] .. ':' .. whole(now), 'since', whole(now),
    'missing', '0', 'roster', '0', 'beat', whole(now))
end
local known = redis.call('HMGET', epoch, 'id', 'beat', 'since')
local id, beat, since = known[1], tonumber(known[2]), tonumber(known[3])
local isSameEpoch = ARGV[4] == id
if ARGV[4] ~= '' and not isSameEpoch then
  for index = 6, #ARGV do redis.call('SADD', expected, ARGV[index]) end
end
if now - since > ${longestWindowMs} * 1000 then redis.call('DEL', expected) end

if not redis.call('ZSCORE', nodes, node) then
  redis.call('HSET', epoch, 'joined:' .. node, redis.call('HINCRBY', epoch, 'roster', 1))
  redis.call('ZREM', departed, node)
end
redis.call('ZADD', nodes, whole(now), node)
redis.call('HSET', epoch, 'seen:' .. node, isSameEpoch and ARGV[5] or '0')
redis.call('PEXPIRE', KEYS[6], '${String(longestLedgerMs)}')

for _, silent in ipairs(redis.call('ZRANGEBYSCORE', nodes, '-inf', whole(now - alive))) do
  if now - beat > alive / 2 then
    redis.call('ZADD', nodes, whole(now), silent)
  else
    giveUp(epoch, nodes, departed, silent, now)
  end
end
redis.call('ZREMRANGEBYSCORE', departed, '-inf', whole(now - ${longestWindowMs} * 1000))
redis.call('HSET', epoch, 'beat', whole(now), 'ahead', whole(now - clock))

local living = redis.call('ZRANGE', nodes, 0, -1)
local hasSeat = redis.call('HEXISTS', epoch, 'seat:' .. node) == 1
if not hasSeat then
  local joined = tonumber(redis.call('HGET', epoch, 'joined:' .. node))
  hasSeat = true
  for _, other in ipairs(living) do
    if other ~= node and tonumber(redis.call('HGET', epoch, 'seen:' .. other) or '0') < joined then hasSeat = false end
  end
  if hasSeat then redis.call('HSET', epoch, 'seat:' .. node, '1') end
end
return {id, now - since, hasSeat and 1 or 0, tonumber(redis.call('HGET', epoch, 'roster')), living, redis.call('ZRANGE', departed, 0, -1, 'WITHSCORES'),
  countMissing(epoch, expected, posted)}
`,
}

/** A node ends: nobody needs to wait until it is given up. KEYS epoch · nodes · departed. ARGV node. */
export const leaveScript: Script = {
  name: 'leave',
  text: `${readClock}${giveUp}
if redis.call('ZSCORE', KEYS[2], ARGV[1]) then giveUp(KEYS[1], KEYS[2], KEYS[3], ARGV[1], now) end
return 'left'
`,
}

/**
 * All grants are posted of these: of a node itself, and of departed ones that it knew.
 * KEYS epoch · expected · posted · departed. ARGV epoch id · node · departed nodes and when.
 */
export const postedScript: Script = {
  name: 'posted',
  text: `${countMissing}
if redis.call('HGET', KEYS[1], 'id') ~= ARGV[1] then return 'epoch' end
redis.call('SADD', KEYS[3], ARGV[2])
for index = 3, #ARGV, 2 do
  redis.call('SADD', KEYS[3], ARGV[index] .. '@' .. ARGV[index + 1])
  redis.call('ZADD', KEYS[4], 'NX', ARGV[index + 1], ARGV[index])
end
countMissing(KEYS[1], KEYS[2], KEYS[3])
return 'posted'
`,
}

/**
 * Rings in which a node holds something, some at a time.
 * KEYS epoch · rings in which the node holds something. ARGV epoch id · cursor. Answers the next cursor and the rings.
 */
export const scanHeldScript: Script = {
  name: 'scan-held',
  text: `if redis.call('HGET', KEYS[1], 'id') ~= ARGV[1] then return 'epoch' end
return redis.call('SSCAN', KEYS[2], ARGV[2], 'COUNT', '200')`,
}

/**
 * What a node was granted, for others to remember.
 * KEYS epoch · account of each ring. ARGV epoch id · width of a sub-bucket of each.
 * Answers for each account the units granted so far, then age (µs) and units of its sub-buckets; nothing when it is over.
 */
export const readLedgerScript: Script = {
  name: 'read-accounts',
  text: `${readClock}
if redis.call('HGET', KEYS[1], 'id') ~= ARGV[1] then return 'epoch' end
local answer = {}
for index = 2, #KEYS do
  local width, fields = tonumber(ARGV[index]), redis.call('HGETALL', KEYS[index])
  local read = {}
  for field = 1, #fields, 2 do
    if fields[field] == 'granted' then
      table.insert(read, 1, tonumber(fields[field + 1]))
    elseif fields[field] ~= 'opened' then
      local bucket, units = string.match(fields[field + 1], '^(%d+):(%d+)$')
      -- The end of the sub-bucket is the latest that they can have been granted.
      read[#read + 1] = math.max(0, now - (tonumber(bucket) + 1) * width)
      read[#read + 1] = tonumber(units)
    end
  end
  answer[index - 1] = read
end
return answer
`,
}
