/// Collects what is wrong with one document while it is read.
///
/// Reading never stops at the first problem: an author sees all of them at once. Used by one
/// task at a time.
public final class DecodingReport {
    /// Who reads, and so how strictly.
    public enum Strictness: Sendable {
        /// An author's source: unknown fields are errors and the lints run.
        case authored
        /// A released document: fields that this version does not know are ignored.
        case released
        /// A released document on a device: parts that this version cannot read are left out too.
        case device
    }

    /// The file that problems name.
    public let file: String
    /// How strictly to read.
    public let strictness: Strictness
    /// What was found so far, in the order of reading.
    public private(set) var problems: [Problem] = []

    /// The parts that a device leaves out, by the first reason of each.
    public private(set) var leftOut: [Problem] = []

    /// Starts an empty report on one file.
    public init(file: String, strictness: Strictness) {
        self.file = file
        self.strictness = strictness
    }

    /// Notes a problem at a place of this file.
    public func note(
        _ rule: Rule, at position: SourcePosition, _ message: String, hint: String? = nil
    ) {
        problems.append(
            Problem(rule, file: file, position: position, message: message, hint: hint))
    }

    /// Notes that the document could not be parsed.
    public func note(_ error: DocumentSyntaxError) {
        note(
            error.isDuplicateKey ? .duplicateField : .syntax, at: error.position, error.message)
    }

    /// Runs `check` only when an author is reading.
    public func lint(_ check: () -> Void) {
        if strictness == .authored { check() }
    }

    /// Reads a part that a device can do without.
    ///
    /// - Returns: What was read; `nil` also for a part with errors on a device, where they say nothing
    ///   against the whole.
    func part<Value>(_ read: (DecodingReport) -> Value?) -> Value? {
        guard strictness == .device else { return read(self) }
        let own = DecodingReport(file: file, strictness: strictness)
        let value = read(own)
        if let problem = own.firstError {
            leftOut.append(problem)
            return nil
        }
        leftOut += own.leftOut
        return value
    }

    /// The first error that was found.
    var firstError: Problem? { problems.first { $0.rule.severity == .error } }

    /// True when something found so far stops a publish.
    public var hasErrors: Bool { problems.contains { $0.rule.severity == .error } }

    /// How many errors were found so far.
    public var errorCount: Int { problems.count { $0.rule.severity == .error } }

    /// The result of a reading, or everything that was wrong with it.
    ///
    /// - Throws: `ContentError` when there is no value or an error was noted.
    public func result<Value>(_ value: Value?) throws(ContentError) -> Value {
        guard let value, !hasErrors else {
            throw ContentError(problems: problems.filter { $0.rule.severity == .error })
        }
        return value
    }
}

/// A document that cannot be used, with every reason.
public struct ContentError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The errors, never empty.
    public var problems: [Problem]
    /// The number of further errors, which are not listed.
    public var unlistedCount: Int

    /// Says which errors make the document unusable.
    public init(problems: [Problem], unlistedCount: Int = 0) {
        self.problems = problems
        self.unlistedCount = unlistedCount
    }

    /// The first problem and how many more there are.
    public var description: String {
        guard let first = problems.first else { return "The document cannot be used." }
        let count = problems.count - 1 + unlistedCount
        let more = count > 0 ? " (and \(count) more)" : ""
        return first.summary + more
    }
}
