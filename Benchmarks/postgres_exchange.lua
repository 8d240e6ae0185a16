-- Sends prepared requests, each once, for wrk. Thread n sends the file n of the folder PLAN to the n-th of the
-- ports PORTS, over and over its connections. PAUSE is the mean number of milliseconds that a device waits
-- between two requests; CONNECTIONS is the number of each thread.

local threads = {}
local ports = {}
for port in (os.getenv("PORTS") or ""):gmatch("%d+") do ports[#ports + 1] = port end
local pause = tonumber(os.getenv("PAUSE") or "0")
local connections = tonumber(os.getenv("CONNECTIONS") or "0")

function setup(thread)
    threads[#threads + 1] = thread
    thread.addr = wrk.lookup("127.0.0.1", ports[(#threads - 1) % #ports + 1])[1]
    thread:set("number", #threads)
end

function init(args)
    math.randomseed(number)
    local file = assert(io.open(os.getenv("PLAN") .. "/" .. number, "rb"))
    plan, place, missing = file:read("*a"), 1, 0
    file:close()
    if pause > 0 then
        local calls = 0
        delay = function()
            calls = calls + 1
            -- The server closes a connection without a first request after ten seconds.
            return math.random(0, calls <= connections and 8000 or 2 * pause)
        end
    end
end

function request()
    local _, last, size = plan:find("^(%d+)\n", place)
    if not last then
        missing = missing + 1
        return "GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n"
    end
    place = last + 1 + tonumber(size)
    return plan:sub(last + 1, place - 1)
end

function done(summary, latency, requests)
    local missing = 0
    for _, thread in ipairs(threads) do missing = missing + thread:get("missing") end
    local errors = summary.errors
    print(string.format(
        'RESULT {"requests": %d, "seconds": %.6f, "bytes": %d, "p50": %.3f, "p99": %.3f, "missing": %d,'
            .. ' "status": %d, "failed": %d}',
        summary.requests, summary.duration / 1e6, summary.bytes, latency:percentile(50) / 1000,
        latency:percentile(99) / 1000, missing, errors.status,
        errors.connect + errors.read + errors.write + errors.timeout))
end
