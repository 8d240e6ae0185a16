/// A pattern of paths: `*`, `?` and sets such as `[a-z]`, none of which matches a `/` (TUF 4.5).
///
/// A set begins with `!` to match what it does not name; without a closing bracket, `[` means itself (glob(7)).
struct PathPattern: Hashable, Sendable {
    private enum Step: Hashable, Sendable {
        case one(Unicode.Scalar)
        case any
        case run
        case set([ClosedRange<UInt32>], isExcluded: Bool)
    }

    private let parts: [[Step]]

    init(_ text: String) {
        parts = Self.parts(text).map { Self.steps(Array($0)) }
    }

    /// Returns true if a path matches, in O(n · m) for each part.
    func matches(_ path: String) -> Bool {
        let others = Self.parts(path)
        return parts.count == others.count
            && zip(parts, others).allSatisfy { Self.matches(Array($1), $0) }
    }

    private static func parts(_ text: String) -> [Substring.UnicodeScalarView] {
        text.unicodeScalars.split(separator: "/", omittingEmptySubsequences: false)
    }

    private static func steps(_ text: [Unicode.Scalar]) -> [Step] {
        var steps: [Step] = []
        var index = 0
        while index < text.count {
            switch text[index] {
            case "*": if steps.last != .run { steps.append(.run) }
            case "?": steps.append(.any)
            case "[":
                if let (set, end) = set(text, after: index) {
                    steps.append(set)
                    index = end
                } else {
                    steps.append(.one("["))
                }
            default: steps.append(.one(text[index]))
            }
            index += 1
        }
        return steps
    }

    /// Parses a set.
    ///
    /// - Returns: The set and the index of its closing bracket; `nil` when there is none.
    private static func set(_ text: [Unicode.Scalar], after start: Int) -> (Step, Int)? {
        var index = start + 1
        let isExcluded = index < text.count && text[index] == "!"
        if isExcluded { index += 1 }
        // A closing bracket that comes first is a member.
        guard let end = text.indices.first(where: { $0 > index && text[$0] == "]" }) else {
            return nil
        }
        var ranges: [ClosedRange<UInt32>] = []
        while index < end {
            let low = text[index].value
            if index + 2 < end, text[index + 1] == "-" {
                let high = text[index + 2].value
                if low <= high { ranges.append(low...high) }
                index += 3
            } else {
                ranges.append(low...low)
                index += 1
            }
        }
        return (.set(ranges, isExcluded: isExcluded), end)
    }

    /// Matches with one point of return, the last `*`: an earlier one cannot do better.
    private static func matches(_ text: [Unicode.Scalar], _ steps: [Step]) -> Bool {
        guard max(text.count, steps.count) <= TrustLimits.pathPartMax else { return false }
        var (at, step) = (0, 0)
        var retry: (at: Int, step: Int)?
        while at < text.count {
            if step < steps.count, steps[step] == .run {
                retry = (at, step)
                step += 1
            } else if step < steps.count, matches(text[at], steps[step]) {
                at += 1
                step += 1
            } else if let last = retry {
                retry = (last.at + 1, last.step)
                (at, step) = (last.at + 1, last.step + 1)
            } else {
                return false
            }
        }
        return steps[step...].allSatisfy { $0 == .run }
    }

    private static func matches(_ scalar: Unicode.Scalar, _ step: Step) -> Bool {
        switch step {
        case .one(let other): scalar == other
        case .any: true
        case .run: false
        case .set(let ranges, let isExcluded):
            ranges.contains { $0.contains(scalar.value) } != isExcluded
        }
    }
}
