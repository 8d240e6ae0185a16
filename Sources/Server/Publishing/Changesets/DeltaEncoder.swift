import ServiceAPI

/// An encoder of windows (RFC 3284) for files that mostly are as their base.
///
/// It walks both side by side, looks a little ahead where they differ, and only then for the next bytes anywhere in the
/// base. It copies from the base alone: what repeats in the new bytes is left to DEFLATE.
struct DeltaEncoder {
    private enum Step {
        case copy(from: Int, count: Int)
        case add(Range<Int>)
    }

    /// The bytes that must agree before a copy begins.
    private static let seed = SeedTable.seed
    /// The maximum length of both sides together that is searched for the next agreement.
    private static let nearMax = 64
    /// The maximum length of one side that is searched for it, for a longer insertion or removal.
    private static let farMax = 1024
    /// The bytes that agree by no accident.
    private static let longAgreement = 48
    /// The most places of one seed that are compared.
    private static let placesMax = 16
    /// A copy of so few bytes between additions costs as much as they do.
    private static let shortCopy = 4

    private let target: [UInt8]
    private let base: [UInt8]
    /// The places of seeds in the base, made when they are first needed.
    private var seeds: SeedTable?

    private init(_ target: [UInt8], _ base: [UInt8]) {
        self.target = target
        self.base = base
    }

    /// Returns the window that leads from a base to the target.
    static func window(_ target: [UInt8], from base: [UInt8]) -> [UInt8] {
        var encoder = DeltaEncoder(target, base)
        return encoder.written(encoder.joined(encoder.steps()))
    }

    /// Returns the window of bytes that have no base.
    static func window(adding target: [UInt8]) -> [UInt8] {
        let encoder = DeltaEncoder(target, [])
        return encoder.written(target.isEmpty ? [] : [.add(target.indices)])
    }

    // MARK: Matching

    private mutating func steps() -> [Step] {
        var steps: [Step] = []
        var (place, from, added) = (0, 0, 0)
        func flush(_ end: Int, _ steps: inout [Step]) {
            if added < end { steps.append(.add(added..<end)) }
        }
        while place < target.count {
            let count = agreement(place, from)
            if count >= Self.seed || count == target.count - place, count > 0 {
                flush(place, &steps)
                steps.append(.copy(from: from, count: count))
                place += count
                from += count
                added = place
                continue
            }
            // What lies near is found from the first byte that differs, or not at all.
            guard let next = next(place, from, added) else {
                place += 1
                continue
            }
            place = next.place
            from = next.from
        }
        flush(place, &steps)
        return steps
    }

    /// Returns the number of bytes that agree from two places on, at most so many.
    private func agreement(_ place: Int, _ from: Int, most: Int = .max) -> Int {
        let most = min(most, target.count - place, base.count - from)
        guard most > 0 else { return 0 }
        return target.withUnsafeBytes { target in
            base.withUnsafeBytes { base in
                var count = 0
                while count + 8 <= most,
                    target.loadUnaligned(fromByteOffset: place + count, as: UInt64.self)
                        == base.loadUnaligned(fromByteOffset: from + count, as: UInt64.self)
                {
                    count += 8
                }
                while count < most, target[place + count] == base[from + count] { count += 1 }
                return count
            }
        }
    }

    private func agrees(_ place: Int, _ from: Int) -> Bool {
        guard place + Self.seed <= target.count, from + Self.seed <= base.count else {
            // The last bytes of both.
            return target.count - place == base.count - from && target.count > place
                && agreement(place, from) == target.count - place
        }
        return target.withUnsafeBytes { target in
            base.withUnsafeBytes { base in
                target.loadUnaligned(fromByteOffset: place, as: UInt64.self)
                    == base.loadUnaligned(fromByteOffset: from, as: UInt64.self)
            }
        }
    }

    private typealias Match = (place: Int, from: Int)

    /// Finds where both sides agree again: near by for long enough, or else where they do for longest.
    private mutating func next(_ place: Int, _ from: Int, _ added: Int) -> Match? {
        let near = place == added ? nearby(place, from) : nil
        if let near, isLong(near) { return near }
        if place == added, let end = end(place) { return end }
        // What was moved is copied, before what lies behind it is looked for.
        let moved = anywhere(place, after: added)
        if let moved, isLong(moved) { return moved }
        let others = [near, moved, place == added ? far(place, from) : nil].compactMap(\.self)
        return others.max { length($0) < length($1) }
    }

    /// Returns the number of bytes that agree from a match on, as far as it matters which of two is longer.
    private func length(_ match: Match) -> Int {
        agreement(match.place, match.from, most: Self.longAgreement)
    }

    private func isLong(_ match: Match) -> Bool { length(match) == Self.longAgreement }

    /// Finds where both sides agree again, the fewest bytes on.
    private func nearby(_ place: Int, _ from: Int) -> Match? {
        guard from < base.count else { return nil }
        for sum in 1...Self.nearMax {
            for added in 0...sum where agrees(place + added, from + sum - added) {
                return (place + added, from + sum - added)
            }
        }
        return nil
    }

    /// Finds the last bytes of both sides, if hardly any are before them: a number that stands there needs no search.
    private func end(_ place: Int) -> Match? {
        let left = target.count - place
        guard (Self.seed..<Self.longAgreement).contains(left) else { return nil }
        for added in 0...Self.shortCopy {
            let match = (place: place + added, from: base.count - left + added)
            if match.from >= 0, length(match) == left - added { return match }
        }
        return nil
    }

    /// Finds the end of a longer insertion or removal.
    private func far(_ place: Int, _ from: Int) -> Match? {
        var best: Match?
        var most = 0
        for far in (Self.nearMax + 1)...Self.farMax {
            for match in [(place + far, from), (place, from + far)]
            where agrees(match.0, match.1) {
                let count = length(match)
                if count == Self.longAgreement { return match }
                if count > most { (best, most) = (match, count) }
            }
        }
        return best
    }

    /// Finds the longest copy of the next bytes anywhere in the base, extended to bytes before them.
    private mutating func anywhere(
        _ place: Int, after start: Int
    ) -> Match? {
        guard place + Self.seed <= target.count, base.count >= Self.seed else { return nil }
        if seeds == nil { seeds = SeedTable(base) }
        var best: (place: Int, from: Int, count: Int)?
        for from in seeds?.places(of: target, at: place, most: Self.placesMax) ?? [] {
            guard agrees(place, from) else { continue }
            var back = 0
            while place - back > start, from - back > 0,
                target[place - back - 1] == base[from - back - 1]
            {
                back += 1
            }
            let count = back + agreement(place, from)
            if count > best?.count ?? 0 { best = (place - back, from - back, count) }
        }
        return best.map { ($0.place, $0.from) }
    }

    /// Turns short copies between additions into additions, and joins these.
    private func joined(_ steps: [Step]) -> [Step] {
        var joined: [Step] = []
        var place = 0
        for step in steps {
            let (count, isAdded) =
                switch step {
                case .copy(_, let count): (count, count <= Self.shortCopy)
                case .add(let range): (range.count, true)
                }
            defer { place += count }
            guard isAdded else {
                joined.append(step)
                continue
            }
            if case .add(let before)? = joined.last {
                joined[joined.count - 1] = .add(before.lowerBound..<(place + count))
            } else {
                joined.append(.add(place..<(place + count)))
            }
        }
        return joined
    }

    // MARK: Writing

    private func written(_ steps: [Step]) -> [UInt8] {
        var (data, instructions, addresses) = ([UInt8](), [UInt8](), [UInt8]())
        var cache = AddressCache()
        var here = base.count
        for step in steps {
            switch step {
            case .add(let range):
                data += target[range]
                Self.write(.add, range.count, &instructions)
                here += range.count
            case .copy(let from, let count):
                let form = cache.form(of: from, here: here)
                addresses += form.bytes
                Self.write(.copy(mode: form.mode), count, &instructions)
                here += count
            }
        }
        var window: [UInt8] = []
        window.append(integer: target.count)
        window.append(integer: data.count)
        window.append(integer: instructions.count)
        window.append(integer: addresses.count)
        return window + data + instructions + addresses
    }

    private static func write(_ kind: CodeTable.Kind, _ size: Int, _ instructions: inout [UInt8]) {
        if let code = codes[CodeTable.Instruction(kind: kind, size: size)] {
            instructions.append(code)
        } else if let code = codes[CodeTable.Instruction(kind: kind, size: 0)] {
            instructions.append(code)
            instructions.append(integer: size)
        }
    }

    /// The codes of single instructions.
    private static let codes: [CodeTable.Instruction: UInt8] = {
        var codes: [CodeTable.Instruction: UInt8] = [:]
        for (code, pair) in CodeTable.standard.enumerated() where pair.second == nil {
            codes[pair.first] = UInt8(code)
        }
        return codes
    }()
}

/// The places of eight bytes in a base: chains by their hash, the last place first.
private struct SeedTable {
    /// The number of bytes of a seed.
    static let seed = 8
    private static let bits = 15

    private var heads = [Int32](repeating: -1, count: 1 << bits)
    private let before: [Int32]

    init(_ base: [UInt8]) {
        let count = max(0, base.count - Self.seed + 1)
        var heads = heads
        before = [Int32](unsafeUninitializedCapacity: count) { before, initializedCount in
            for place in 0..<count {
                let hash = Self.hash(base, place)
                before[place] = heads[hash]
                heads[hash] = Int32(place)
            }
            initializedCount = count
        }
        self.heads = heads
    }

    /// Returns places where the bytes may be those of a seed, at most so many.
    func places(of bytes: [UInt8], at place: Int, most: Int) -> [Int] {
        var places: [Int] = []
        var found = heads[Self.hash(bytes, place)]
        while found >= 0, places.count < most {
            places.append(Int(found))
            found = before[Int(found)]
        }
        return places
    }

    private static func hash(_ bytes: [UInt8], _ place: Int) -> Int {
        let seed = bytes.withUnsafeBytes {
            $0.loadUnaligned(fromByteOffset: place, as: UInt64.self)
        }
        return Int((seed &* 0x9E37_79B9_7F4A_7C15) >> (64 - UInt64(bits)))
    }
}
