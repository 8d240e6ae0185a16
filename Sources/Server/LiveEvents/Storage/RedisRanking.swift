import Accounts
package import RedisDriver

/// The places of events on Redis, shared by all processes of a server.
///
/// A sorted set maps learners to orders. A hash maps learners to the revisions of their standings, `epoch` to the
/// server's generation, and `through` to the change before which nothing is missing. If the set does not have exactly
/// two entries less than the hash, something was lost (evicted, flushed), and the places are rebuilt. The id in braces
/// places both keys on the same node of a cluster.
package final class RedisRanking: LiveRanking {
    /// The seconds after which places that nobody removed expire: longer than any event.
    private static let lifeSeconds = 14 * 86_400
    /// The milliseconds for which a process that builds places keeps others from doing so.
    private static let leaseMilliseconds = 10_000
    /// The most learners in one command.
    private static let batchMax = 500

    private let client: RedisClient
    private let pause = RedisPause()

    package init(_ client: RedisClient) { self.client = client }

    // MARK: Scripts

    /// Begins each script: `whole` is true when the places are those of this history, with nothing lost.
    private static let check = """
        local whole = redis.call('HGET', KEYS[2], 'epoch') == ARGV[1]
            and redis.call('HLEN', KEYS[2]) == redis.call('ZCARD', KEYS[1]) + 2
        if not whole then return false end

        """

    /// Arguments: the epoch, then the member, revision and order of each standing.
    private static let applying = RedisScript(
        check + """
            for i = 2, #ARGV, 3 do
                local known = redis.call('HGET', KEYS[2], ARGV[i])
                if not known or #known < #ARGV[i + 1] or known < ARGV[i + 1] then
                    redis.call('HSET', KEYS[2], ARGV[i], ARGV[i + 1])
                    redis.call('ZADD', KEYS[1], ARGV[i + 2], ARGV[i])
                end
            end
            local last = ARGV[#ARGV - 2]
            return {redis.call('ZCARD', KEYS[1]), redis.call('ZRANK', KEYS[1], last),
                redis.call('ZSCORE', KEYS[1], last)}
            """)

    /// Arguments: the epoch, the number of the best places, the member or nothing.
    private static let reading = RedisScript(
        check + """
            local top = {}
            if tonumber(ARGV[2]) > 0 then
                top = redis.call('ZRANGE', KEYS[1], 0, tonumber(ARGV[2]) - 1, 'WITHSCORES')
            end
            return {redis.call('ZCARD', KEYS[1]), redis.call('ZRANK', KEYS[1], ARGV[3]),
                redis.call('ZSCORE', KEYS[1], ARGV[3]), top, redis.call('HGET', KEYS[2], 'through')}
            """)

    /// Arguments: the epoch, the change.
    private static let noting = RedisScript(
        check + """
            if tonumber(redis.call('HGET', KEYS[2], 'through')) < tonumber(ARGV[2]) then
                redis.call('HSET', KEYS[2], 'through', ARGV[2])
            end
            return true
            """)

    /// Arguments: the epoch, then the members.
    private static let removal = RedisScript(
        check + """
            for i = 2, #ARGV do
                redis.call('ZREM', KEYS[1], ARGV[i])
                redis.call('HDEL', KEYS[2], ARGV[i])
            end
            return true
            """)

    /// Renames what was built, unless another process has the lease by now.
    ///
    /// Keys: the set and the hash, the lease, the new set and the new hash. Arguments: the epoch, the seconds of life, the
    /// lease, the change before which nothing is missing.
    private static let replacing = RedisScript(
        """
        if redis.call('GET', KEYS[3]) ~= ARGV[3] then
            redis.call('DEL', KEYS[4], KEYS[5])
            return 0
        end
        redis.call('HSET', KEYS[5], 'epoch', ARGV[1], 'through', ARGV[4])
        if redis.call('HLEN', KEYS[5]) ~= redis.call('ZCARD', KEYS[4]) + 2 then
            redis.call('DEL', KEYS[3], KEYS[4], KEYS[5])
            return 0
        end
        redis.call('DEL', KEYS[1], KEYS[2], KEYS[3])
        if redis.call('EXISTS', KEYS[4]) == 1 then
            redis.call('RENAME', KEYS[4], KEYS[1])
            redis.call('EXPIRE', KEYS[1], ARGV[2])
        end
        redis.call('RENAME', KEYS[5], KEYS[2])
        redis.call('EXPIRE', KEYS[2], ARGV[2])
        return 1
        """)

    // MARK: Places

    package func apply(
        _ standings: [EventStanding], to event: RankingKey
    ) async throws -> RankedPlace? {
        var place: RankedPlace?
        for batch in standings.batches(of: Self.batchMax) {
            let arguments = batch.flatMap { standing in
                [
                    Self.text(standing.member), Self.revision(standing), String(standing.order),
                ]
            }
            let reply = try await evaluate(
                Self.applying, event, [String(event.epoch)] + arguments)
            guard let elements = reply.elements else { return nil }
            place = Self.place(elements)
        }
        return place
    }

    package func read(
        _ event: RankingKey, top: Int, member: Int64?
    ) async throws -> RankingReading? {
        let reply = try await evaluate(
            Self.reading, event,
            [String(event.epoch), String(top), member.map(Self.text) ?? ""])
        guard let elements = reply.elements, elements.count == 5, let best = elements[3].elements,
            let through = elements[4].text.flatMap(Int64.init)
        else { return nil }
        let places = stride(from: 0, to: best.count - 1, by: 2).compactMap { index in
            if let member = best[index].integer, let order = Self.order(best[index + 1]) {
                RankedMember(member: member, order: order)
            } else {
                nil
            }
        }
        return RankingReading(top: places, own: Self.place(elements), through: through)
    }

    package func remove(_ members: [Int64], from event: RankingKey) async throws {
        for batch in members.batches(of: Self.batchMax) {
            try await evaluate(
                Self.removal, event, [String(event.epoch)] + batch.map(Self.text))
        }
    }

    package func note(through change: Int64, of event: RankingKey) async throws {
        try await evaluate(Self.noting, event, [String(event.epoch), String(change)])
    }

    package func drop(_ event: RankingKey) async throws {
        let keys = Keys(event)
        _ = try await asking(keys) { try await client.send(["DEL", keys.set, keys.hash]) }
    }

    // MARK: Building

    package func build(
        _ event: RankingKey, through change: Int64,
        from page: (_ after: Int64) async throws -> [EventStanding]
    ) async throws -> Bool {
        let (keys, lease) = (Keys(event), RandomText.make(bytes: 9))
        guard try await extend(keys, lease) else { return false }
        let new = Keys(event, suffix: ":new:\(lease)")
        var last: Int64 = 0
        while true {
            let standings = try await page(last)
            guard let end = standings.last else { break }
            for batch in standings.batches(of: Self.batchMax) {
                try await add(batch, to: new)
            }
            guard try await extend(keys, lease) else { return false }
            last = end.member
        }
        let reply = try await asking(keys) {
            try await client.evaluate(
                Self.replacing, keys: [keys.set, keys.hash, keys.lease, new.set, new.hash],
                arguments: [
                    String(event.epoch), String(Self.lifeSeconds), lease, String(change),
                ])
        }
        return reply.integer == 1
    }

    private func add(_ standings: ArraySlice<EventStanding>, to new: Keys) async throws {
        let orders = standings.flatMap { [String($0.order), Self.text($0.member)] }
        let revisions = standings.flatMap { [Self.text($0.member), Self.revision($0)] }
        // Pieces that are never renamed, because a process ended, expire.
        let life = String(Self.leaseMilliseconds * 10)
        let replies = try await asking(new) {
            try await client.send([
                RedisCommand(["ZADD", new.set] + orders),
                RedisCommand(["HSET", new.hash] + revisions),
                ["PEXPIRE", new.set, life], ["PEXPIRE", new.hash, life],
            ])
        }
        for reply in replies {
            if case .failure(let error) = reply { throw RankingUnavailable(error.description) }
        }
    }

    /// Takes the lease to build, or prolongs it.
    ///
    /// - Returns: False when another process has it.
    private func extend(_ keys: Keys, _ lease: String) async throws -> Bool {
        let script = RedisScript(
            """
            local owner = redis.call('GET', KEYS[1])
            if owner and owner ~= ARGV[1] then return 0 end
            redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
            return 1
            """)
        let reply = try await asking(keys) {
            try await client.evaluate(
                script, keys: [keys.lease], arguments: [lease, String(Self.leaseMilliseconds)])
        }
        return reply.integer == 1
    }

    // MARK: Commands

    /// The keys of an event.
    ///
    /// A new form gets a new name, as the set and the hash did for `:rank` and `:state` with counts of submissions:
    /// during a rolling upgrade, processes of both versions run side by side.
    private struct Keys {
        let set: String
        let hash: String
        let lease: String

        init(_ event: RankingKey, suffix: String = "") {
            let name = "underway:event:{\(event.id)}"
            set = name + ":places" + suffix
            hash = name + ":standings" + suffix
            lease = name + ":building"
        }
    }

    @discardableResult
    private func evaluate(
        _ script: RedisScript, _ event: RankingKey, _ arguments: [String]
    ) async throws -> RESPValue {
        let keys = Keys(event)
        return try await asking(keys) {
            try await client.evaluate(script, keys: [keys.set, keys.hash], arguments: arguments)
        }
    }

    /// Asks Redis about keys, unless it failed within the last second.
    ///
    /// Keys of another kind than ours, which nobody of us wrote, are removed: then the places are built again.
    private func asking<Value>(
        _ keys: Keys, _ body: () async throws -> Value
    ) async throws -> Value {
        guard pause.isOver else {
            throw RankingUnavailable("Redis failed within the last second.")
        }
        do {
            return try await body()
        } catch let error as RedisError where error.code == .wrongType {
            // What fails too is tried again in a second.
            _ = try? await client.send(["DEL", keys.set, keys.hash, keys.lease])
            throw RankingUnavailable("\(error.description) The keys \(keys.set) were removed.")
        } catch let error as RedisError {
            pause.begin()
            throw RankingUnavailable(error.description)
        }
    }

    /// Returns the number of an account in a width in which texts are ordered as numbers.
    private static func text(_ member: Int64) -> String { padded(member, 16) }

    /// Returns a text that is greater for a newer standing.
    private static func revision(_ standing: EventStanding) -> String {
        padded(Int64(standing.submissions), 8) + padded(standing.change, 19)
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    private static func place(_ elements: [RESPValue]) -> RankedPlace {
        RankedPlace(
            rank: elements.dropFirst().first?.integer.map { Int($0) + 1 },
            order: elements.dropFirst(2).first.flatMap(order),
            count: elements.first?.integer.map { Int($0) } ?? 0)
    }

    /// Reads a score, which is a whole number in any notation.
    private static func order(_ value: RESPValue) -> Int64? {
        if case .double(let number) = value { return Int64(exactly: number) }
        return value.text.flatMap(Double.init).flatMap { Int64(exactly: $0) }
    }
}

extension Array {
    /// Returns the elements in pieces of at most a number.
    fileprivate func batches(of count: Int) -> [ArraySlice<Element>] {
        stride(from: 0, to: self.count, by: count).map {
            self[$0..<Swift.min($0 + count, self.count)]
        }
    }
}
