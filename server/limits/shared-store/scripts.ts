import type { Script } from '../../platform/shared-store/store-connection.ts'
import { dayMs } from '../../../shared/durations.ts'

/**
 * What runs inside the store. All counting is done with the store's own clock, in whole microseconds; a limit is a hash
 * with the number of its newest sub-bucket (`newest`), the sum of all (`sum`) and the units granted in each (by place
 * in the ring). Beside it stands one hash for each node, its account: all units that node was ever granted (`granted`),
 * which tells after a loss of data how many of them the store has forgotten, and when it was granted the latest of them
 * (by place in the ring, `sub-bucket:units`), which others learn when the node is gone.
 */

/**
 * The instant, for scripts whose first key is the epoch. It never falls behind the latest beat of a node (`beat`): when the
 * clock of the store is set back, or another machine takes over whose clock is behind, it goes on from there, and stays
 * ahead of that clock (`ahead`). So a step costs callers no more than the time between two beats.
 */
export const readClock = `
local function whole(number) return string.format('%.0f', number) end
local time, last = redis.call('TIME'), redis.call('HMGET', KEYS[1], 'beat', 'ahead')
local clock = time[1] * 1000000 + time[2]
local now = math.max(clock + tonumber(last[2] or '0'), tonumber(last[1] or '0'))
`

/**
 * Number of the newest sub-bucket, sum of what still counts, and the places of what no longer does (nil: all of them).
 * An instant before the newest one changes nothing.
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

/** More than the longest period and what leases add to it: nothing that is older counts. */
export const longestWindowMs = 32 * dayMs
/** Accounts live for two periods. */
export const longestLedgerMs = 2 * longestWindowMs

/**
 * Grants that nobody knows any more keep a limit closed for its period, but not for longer than one of an hour: rather
 * one interval of a day or a month that may hold too much than a month without service.
 */
export const longestDoubtMs = 62 * 60_000

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

local function keep(ring, newest, sum, width, slots)
  redis.call('HSET', ring, 'newest', whole(newest), 'sum', whole(sum))
  redis.call('PEXPIRE', ring, whole(math.ceil(width * (slots + 1) / 1000)))
end
`

/** Accounts live longer than the node's own record, or it would seem that the store has lost something. */
const account = `
local function openAccount(account, width, slots, ring, held)
  redis.call('PEXPIRE', account, whole(math.ceil(2 * width * slots / 1000)))
  if redis.call('SADD', held, ring) == 1 then redis.call('PEXPIRE', held, '${String(longestLedgerMs)}') end
end

-- Opened again a few times in a window: it costs as much as all the rest.
local function credit(account, granted, bucket, units, width, slots, ring, held)
  local place = whole(bucket % slots)
  local kept = redis.call('HMGET', account, place, 'opened')
  local of, before = string.match(kept[1] or '', '^(%d+):(%d+)$')
  if tonumber(of) == bucket then units = units + tonumber(before) end
  redis.call('HSET', account, 'granted', whole(granted), place, whole(bucket) .. ':' .. whole(units))
  if not kept[2] or bucket - tonumber(kept[2]) >= slots / 4 then
    redis.call('HSET', account, 'opened', whole(bucket))
    openAccount(account, width, slots, ring, held)
  end
end
`

/**
 * Grants units of all limits of a key, or of none: at least \`need\` and at most \`want\` of each.
 * KEYS epoch · rings in which the node holds something · ring and account of each limit. ARGV epoch id · node · slots ·
 * settle (µs) · of each limit: units, width of a sub-bucket, need, want, units this node was granted so far.
 * Answers \`granted\` and for each limit units, what is left, sub-bucket, units granted so far · \`refused\` and for each
 * limit the wait (µs; 0: it would fit), what is left · \`settling\` and a wait (µs) · \`behind\` · \`epoch\`: ask for a
 * seat first.
 */
export const askScript: Script = {
  name: 'ask',
  text: `${readClock}${standing}${roll}${account}
local slots, settle = tonumber(ARGV[3]), tonumber(ARGV[4])
local epoch = redis.call('HMGET', KEYS[1], 'id', 'since', 'missing', 'seat:' .. ARGV[2])
if epoch[1] ~= ARGV[1] or not epoch[4] then return {'epoch'} end

local limits = {}
for index = 1, (#KEYS - 2) / 2 do
  local first = 4 + (index - 1) * 5
  limits[index] = {
    ring = KEYS[index * 2 + 1], account = KEYS[index * 2 + 2],
    units = tonumber(ARGV[first + 1]), width = tonumber(ARGV[first + 2]),
    need = tonumber(ARGV[first + 3]), want = tonumber(ARGV[first + 4]), granted = tonumber(ARGV[first + 5]),
  }
end

local age, isMissed = now - tonumber(epoch[2]), tonumber(epoch[3]) > 0
if age < settle or isMissed then
  local wait = 0
  for _, limit in ipairs(limits) do
    wait = math.max(wait, math.min(limit.width * slots, ${longestDoubtMs * 1_000}) - age)
  end
  if age < settle then wait = math.min(wait, settle - age) end
  if wait > 0 then return {'settling', math.max(wait, 100000)} end
end
for _, limit in ipairs(limits) do
  limit.before = tonumber(redis.call('HGET', limit.account, 'granted') or '0')
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
      credit(limit.account, limit.before + units, limit.newest, units, limit.width, slots, limit.ring, KEYS[2])
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
 * Counts again what the store has forgotten of one node's grants: the newest of them, as many as its account lacks.
 * KEYS epoch · rings in which the node holds something · ring · account. ARGV epoch id · slots · width · units granted so
 * far · age (µs) and units of each of the node's sub-buckets, newest first. Repeating it changes nothing.
 */
export const postScript: Script = {
  name: 'post',
  text: `${readClock}${standing}${roll}${account}
if redis.call('HGET', KEYS[1], 'id') ~= ARGV[1] then return 'epoch' end
local held, ring, account = KEYS[2], KEYS[3], KEYS[4]
local slots, width, granted = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local missing = granted - tonumber(redis.call('HGET', account, 'granted') or '0')
if missing <= 0 then return 'known' end
local newest, sum = roll(ring, width, slots)
for index = 5, #ARGV, 2 do
  local bucket = math.min(newest, math.floor((now - tonumber(ARGV[index])) / width))
  local units = math.min(missing, tonumber(ARGV[index + 1]))
  if units > 0 and bucket > newest - slots then
    redis.call('HINCRBY', ring, whole(bucket % slots), whole(units))
    credit(account, granted, bucket, units, width, slots, ring, held)
    sum = sum + units
  end
  missing = missing - units
end
keep(ring, newest, sum, width, slots)
redis.call('HSET', account, 'granted', whole(granted))
openAccount(account, width, slots, ring, held)
return 'posted'
`,
}

/**
 * Units that count in each limit, leased ones included. KEYS epoch · ring of each. ARGV slots · width of each. Writes
 * nothing.
 */
export const peekScript: Script = {
  name: 'peek',
  text: `${readClock}${standing}
local used = {}
for index = 2, #KEYS do
  local _, sum = standing(KEYS[index], tonumber(ARGV[index]), tonumber(ARGV[1]))
  used[index - 1] = sum
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
if units == 0 then return 0 end -- minus zero is no number to the store
redis.call('HINCRBY', KEYS[1], place, -units)
redis.call('HINCRBY', KEYS[1], 'sum', -units)
return units
`,
}
