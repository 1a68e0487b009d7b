-- The work of a relay in nginx: which key it is, two sliding windows, prices by method, counts by key and method.
-- As people build it who have no relay: windows of two buckets, counts in shared memory, everything forgotten at a restart.
local cjson = require 'cjson.safe'
local windows, counts = ngx.shared.windows, ngx.shared.counts

local prices = { eth_getBalance = 19, eth_call = 26 }
local usual_price = 20
local keys = {}

local limits = { rate = { limit = 1e9, seconds = 60 }, credits = { limit = 1e12, seconds = 3600 } }

local module = {}

function module.add(value) keys[ngx.sha1_bin(value)] = limits end

-- How much of a window is used, with what is asked for: all of this bucket, and of the one before what still counts.
local function use(name, window, amount)
  local now = ngx.now()
  local bucket = math.floor(now / window.seconds)
  local used = windows:incr(name .. bucket, amount, 0, window.seconds * 2)
  local before = windows:get(name .. (bucket - 1)) or 0
  return used + before * (1 - (now / window.seconds - bucket))
end

local function refuse(status, code, text)
  ngx.status = status
  ngx.header['content-type'] = 'application/json'
  ngx.print(cjson.encode({ jsonrpc = '2.0', id = cjson.null, error = { code = code, message = text } }))
  return ngx.exit(status)
end

function module.admit()
  local value = string.match(ngx.var.uri, '([^/]+)$')
  local hash = ngx.sha1_bin(value or '')
  local key = keys[hash]
  if key == nil then return refuse(401, -32001, 'unknown key') end
  ngx.req.read_body()
  local body = cjson.decode(ngx.req.get_body_data() or '')
  if body == nil then return refuse(400, -32700, 'the body is not JSON') end
  local calls = body.method and { body } or body
  local credits = 0
  for _, call in ipairs(calls) do credits = credits + (prices[call.method] or usual_price) end
  local rate = use('r' .. hash, key.rate, #calls)
  local spent = use('c' .. hash, key.credits, credits)
  if rate > key.rate.limit or spent > key.credits.limit then return refuse(429, -32005, 'limit exceeded') end
  ngx.ctx.calls, ngx.ctx.hash = calls, hash
  ngx.header['ratelimit-remaining'] = math.floor(key.rate.limit - rate)
end

function module.count()
  local calls, hash = ngx.ctx.calls, ngx.ctx.hash
  if calls == nil then return end
  local outcome = ngx.status == 200 and ':ok' or ':error'
  for _, call in ipairs(calls) do counts:incr(hash .. call.method .. outcome, 1, 0) end
end

return module
