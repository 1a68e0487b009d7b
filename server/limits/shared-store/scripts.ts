import type { Script } from '../../platform/shared-store/store-connection.ts'

/**
 * What runs inside the store. All counting is done with the store's own clock, in whole microseconds; a limit is a hash
 * with the number of its newest sub-bucket (`newest`), the sum of all (`sum`) and the units granted in each (by place
 * in the ring). Beside it stands one counter for each node: all units that node was ever granted, which tells after a
 * loss of data how many of them the store has forgotten.
 */
const readClock = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local function whole(number) return string.format('%.0f', number) end
`

/**
 * Number of the newest sub-bucket, sum of what still counts, and the places of what no longer does (nil: all of them).
 * A clock of the store that runs back leaves the newest one as it is.
 */
const standing = `
local function standing(ring, width, slots)
  local kept = redis.call('HMGET', ring, 'newest', 'sum')
  local current = math.floor(now / width)
  local newest, sum = tonumber(kept[1]), tonumber(kept[2]) or 0
  if newest == nil or current - newest >= slots then return current, 0, nil end
  if current <= newest then return newest, sum, {} end
  local leaving = {}
  for bucket = newest + 1, current do leaving[#leaving + 1] = whole(bucket % slots) end
  for _, units in ipairs(redis.call('HMGET', ring, unpack(leaving))) do
    if units then sum = sum - tonumber(units) end
  end
  return current, sum, leaving
end
`

/** Drops sub-buckets that no longer count. */
const roll = `
local function roll(ring, width, slots)
  local newest, sum, leaving = standing(ring, width, slots)
  if leaving == nil then
    redis.call('DEL', ring)
  elseif #leaving > 0 then
    redis.call('HDEL', ring, unpack(leaving))
  end
  return newest, sum
end

-- Longer than the node's own record, or it would seem that the store has lost something.
local function lifeOfCounter(width, slots) return whole(math.ceil(2 * width * slots / 1000)) end

local function keep(ring, newest, sum, width, slots)
  redis.call('HSET', ring, 'newest', whole(newest), 'sum', whole(sum))
  redis.call('PEXPIRE', ring, whole(math.ceil(width * (slots + 1) / 1000)))
end
`

/**
 * Grants units of all limits of a key, or of none: at least \`need\` and at most \`want\` of each.
 * KEYS epoch · ring and counter of each limit. ARGV epoch id · slots · settle · grace (µs) · of each limit: units, width
 * of a sub-bucket, need, want, units this node was granted so far.
 * Answers \`granted\` and for each limit units, what is left, sub-bucket, counter · \`refused\` and for each limit the wait
 * (µs; 0: it would fit), what is left · \`settling\` and a wait (µs) · \`behind\` · \`epoch\`.
 */
export const askScript: Script = {
  name: 'ask',
  text: `${readClock}${standing}${roll}
local slots, settle, grace = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local epoch = redis.call('HMGET', KEYS[1], 'id', 'since', 'open', 'expected', 'posted')
if epoch[1] ~= ARGV[1] then return {'epoch'} end

local limits = {}
for index = 1, (#KEYS - 1) / 2 do
  local first = 4 + (index - 1) * 5
  limits[index] = {
    ring = KEYS[index * 2], counter = KEYS[index * 2 + 1],
    units = tonumber(ARGV[first + 1]), width = tonumber(ARGV[first + 2]),
    need = tonumber(ARGV[first + 3]), want = tonumber(ARGV[first + 4]), granted = tonumber(ARGV[first + 5]),
  }
end

if not epoch[3] then
  local age = now - tonumber(epoch[2])
  local allPosted = (tonumber(epoch[5]) or 0) >= (tonumber(epoch[4]) or 0)
  local isOpen = age >= grace or (age >= settle and allPosted)
  if isOpen then redis.call('HSET', KEYS[1], 'open', '1') end
  for _, limit in ipairs(limits) do
    if not isOpen and age < limit.width * slots then
      return {'settling', math.max(settle - age, 100000)}
    end
  end
end
for _, limit in ipairs(limits) do
  limit.before = tonumber(redis.call('GET', limit.counter) or '0')
  if limit.before < limit.granted then return {'behind'} end
end

local fits = true
for _, limit in ipairs(limits) do
  limit.newest, limit.sum = roll(limit.ring, limit.width, slots)
  limit.free = limit.units - limit.sum
  if limit.free < limit.need then fits = false end
end

local function waitOf(limit)
  if limit.free >= limit.need then return 0 end
  local missing = limit.need - limit.free
  for bucket = limit.newest - slots + 1, limit.newest do
    missing = missing - tonumber(redis.call('HGET', limit.ring, whole(bucket % slots)) or '0')
    if missing <= 0 then return (bucket + slots) * limit.width - now end
  end
  return limit.width * slots
end

local answer = {fits and 'granted' or 'refused'}
for _, limit in ipairs(limits) do
  if fits then
    local units = math.max(0, math.min(limit.want, limit.free))
    if units > 0 then
      redis.call('HINCRBY', limit.ring, whole(limit.newest % slots), whole(units))
      redis.call('SET', limit.counter, whole(limit.before + units),
        'PX', lifeOfCounter(limit.width, slots))
    end
    limit.sum = limit.sum + units
    for _, value in ipairs({units, limit.units - limit.sum, limit.newest, limit.before + units}) do
      answer[#answer + 1] = value
    end
  else
    answer[#answer + 1] = waitOf(limit)
    answer[#answer + 1] = math.max(0, limit.free)
  end
  keep(limit.ring, limit.newest, limit.sum, limit.width, slots)
end
return answer
`,
}

/**
 * Counts again what the store has forgotten of one node's grants: the newest of them, as many as its counter lacks.
 * KEYS epoch · ring · counter. ARGV epoch id · slots · width · units granted so far · age (µs) and units of each of the
 * node's own sub-buckets, newest first. Repeating it changes nothing.
 */
export const postScript: Script = {
  name: 'post',
  text: `${readClock}${standing}${roll}
if redis.call('HGET', KEYS[1], 'id') ~= ARGV[1] then return 'epoch' end
local ring, counter = KEYS[2], KEYS[3]
local slots, width, granted = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local missing = granted - tonumber(redis.call('GET', counter) or '0')
if missing <= 0 then return 'known' end
local newest, sum = roll(ring, width, slots)
for index = 5, #ARGV, 2 do
  local bucket = math.min(newest, math.floor((now - tonumber(ARGV[index])) / width))
  local units = math.min(missing, tonumber(ARGV[index + 1]))
  if units > 0 and bucket > newest - slots then
    redis.call('HINCRBY', ring, whole(bucket % slots), whole(units))
    sum = sum + units
  end
  missing = missing - units
end
keep(ring, newest, sum, width, slots)
redis.call('SET', counter, whole(granted), 'PX', lifeOfCounter(width, slots))
return 'posted'
`,
}

/** Units that count in each limit, leased ones included. KEYS ring of each. ARGV slots · width of each. Writes nothing. */
export const peekScript: Script = {
  name: 'peek',
  text: `${readClock}${standing}
local used = {}
for index, ring in ipairs(KEYS) do
  local _, sum = standing(ring, tonumber(ARGV[index + 1]), tonumber(ARGV[1]))
  used[index] = sum
end
return used
`,
}

/** Returns units to the sub-bucket they were granted in. KEYS ring. ARGV slots · sub-bucket · units. */
export const giveBackScript: Script = {
  name: 'give-back',
  text: `
local slots, bucket = tonumber(ARGV[1]), tonumber(ARGV[2])
local newest = tonumber(redis.call('HGET', KEYS[1], 'newest'))
if newest == nil or bucket > newest or bucket <= newest - slots then return 0 end
local place = string.format('%.0f', bucket % slots)
local units = math.min(tonumber(ARGV[3]), tonumber(redis.call('HGET', KEYS[1], place) or '0'))
redis.call('HINCRBY', KEYS[1], place, -units)
redis.call('HINCRBY', KEYS[1], 'sum', -units)
return units
`,
}

/**
 * Says that a node lives, and which epoch it is: one run of the store's process, in which nothing gets lost. The first
 * node that meets another run begins an epoch, which opens when all nodes of the last one have posted their grants.
 * KEYS epoch · nodes · posted. ARGV run id · node · nodes it saw lately · how long a node counts as alive (µs) · the epoch
 * it comes from, or nothing.
 * Answers the epoch's id and how many nodes live.
 */
export const joinScript: Script = {
  name: 'join',
  text: `${readClock}
if redis.call('HGET', KEYS[1], 'run') ~= ARGV[1] then
  redis.call('DEL', KEYS[1], KEYS[3])
  redis.call('HSET', KEYS[1], 'run', ARGV[1], 'id', ARGV[1] .. ':' .. whole(now), 'since', whole(now))
end
local comesFrom, id = ARGV[5], redis.call('HGET', KEYS[1], 'id')
local expected = tonumber(redis.call('HGET', KEYS[1], 'expected') or '0')
if comesFrom ~= '' and comesFrom ~= id and tonumber(ARGV[3]) > expected then
  redis.call('HSET', KEYS[1], 'expected', ARGV[3])
end
redis.call('ZADD', KEYS[2], whole(now), ARGV[2])
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', whole(now - tonumber(ARGV[4])))
return {id, redis.call('ZCARD', KEYS[2])}
`,
}

/** A node has posted all its grants. KEYS epoch · posted. ARGV epoch id · node. */
export const postedScript: Script = {
  name: 'posted',
  text: `
if redis.call('HGET', KEYS[1], 'id') ~= ARGV[1] then return 0 end
redis.call('SADD', KEYS[2], ARGV[2])
redis.call('HSET', KEYS[1], 'posted', redis.call('SCARD', KEYS[2]))
return 1
`,
}
