/// A collector of the problems in one document while it is read.
///
/// Reading does not stop at the first problem: an author sees all of them at once. Used by one task
/// at a time.
package final class DecodingReport {
    /// The strictness of reading, by the kind of reader.
    package enum Strictness: Sendable {
        /// An author's source: unknown fields are errors and the lints run.
        case authored
        /// A released document: fields that this version does not know are ignored.
        case released
        /// A released document on a device: parts that this version cannot read are also omitted.
        case device
    }

    /// The file that problems name.
    package let file: String
    /// The strictness.
    package let strictness: Strictness
    /// The problems so far, in the order of reading.
    package private(set) var problems: [Problem] = []

    /// The parts that a device omits, each with the first reason.
    package private(set) var leftOut: [Problem] = []

    /// The reader of an older version of the app that is tried; `nil` for that of this version.
    let profile: DecoderProfile?
    /// The fields that the reader of `profile` passes over, in parts that it reads.
    private(set) var ignored: [IgnoredField] = []

    /// Creates an empty report about one file.
    package init(file: String, strictness: Strictness) {
        self.file = file
        self.strictness = strictness
        profile = nil
    }

    /// Creates an empty report about a released file that an older version of the app reads.
    init(file: String, strictness: Strictness, profile: DecoderProfile?) {
        self.file = file
        self.strictness = strictness
        self.profile = profile
    }

    /// Adds a problem that was found in another file.
    package func note(_ problem: Problem) { problems.append(problem) }

    /// Adds a field that an older version of the app ignores.
    func noteIgnored(
        _ field: String, of shape: DocumentShape, value: String? = nil,
        at position: SourcePosition
    ) {
        ignored.append(
            IgnoredField(shape: shape, field: field, value: value, position: position))
    }

    /// Adds the fields that were ignored in a part that was read separately.
    func addIgnored(of part: DecodingReport) { ignored += part.ignored }

    /// Returns true if the reader knows a name.
    func knows(_ name: String, in vocabulary: Vocabulary) -> Bool {
        profile?.knows(name, in: vocabulary) ?? true
    }

    /// Returns the names that the reader knows, for a message.
    func names(of vocabulary: Vocabulary, joinedBy separator: String = ", ") -> String {
        vocabulary.names.filter { knows($0, in: vocabulary) }.joined(separator: separator)
    }

    /// Returns a limit of the reader.
    func limit(_ limit: ReaderLimit) -> Int { profile?.limit(limit) ?? limit.value }

    /// Adds a problem at a position of this file.
    package func note(
        _ rule: Rule, at position: SourcePosition, _ message: String, hint: String? = nil
    ) {
        problems.append(
            Problem(rule, file: file, position: position, message: message, hint: hint))
    }

    /// Adds the problem that the document could not be parsed.
    package func note(_ error: DocumentSyntaxError) {
        note(
            error.isDuplicateKey ? .duplicateField : .syntax, at: error.position, error.message)
    }

    /// Runs `check` only for an author's source.
    package func lint(_ check: () -> Void) {
        if strictness == .authored { check() }
    }

    /// Reads a part that a device can do without.
    ///
    /// - Returns: The part; `nil` on a device also for one with errors, which then do not count
    ///   against the whole.
    func part<Value>(_ read: (DecodingReport) -> Value?) -> Value? {
        guard strictness == .device else { return read(self) }
        let own = DecodingReport(file: file, strictness: strictness, profile: profile)
        let value = read(own)
        if let problem = own.firstError {
            leftOut.append(problem)
            return nil
        }
        leftOut += own.leftOut
        addIgnored(of: own)
        return value
    }

    /// The first error.
    var firstError: Problem? { problems.first { $0.rule.severity == .error } }

    /// True when a problem so far stops a publish.
    package var hasErrors: Bool { problems.contains { $0.rule.severity == .error } }

    /// The number of errors so far.
    package var errorCount: Int { problems.count { $0.rule.severity == .error } }

    /// Returns the value that was read, or throws everything that is wrong with it.
    ///
    /// - Throws: `ContentError` when there is no value or an error was reported.
    package func result<Value>(_ value: Value?) throws(ContentError) -> Value {
        guard let value, !hasErrors else {
            throw ContentError(problems: problems.filter { $0.rule.severity == .error })
        }
        return value
    }
}

/// The error of an unusable document, with every reason.
///
/// ```swift
/// do throws(ContentError) {
///     print(try Blueprint(released: bytes).questions.count)
/// } catch {
///     for problem in error.problems { print(problem) }
///     print("and \(error.unlistedCount) more")
/// }
/// ```
public struct ContentError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The errors, never empty.
    public var problems: [Problem]
    /// The number of further errors that are not listed.
    public var unlistedCount: Int

    /// Creates an error.
    public init(problems: [Problem], unlistedCount: Int = 0) {
        self.problems = problems
        self.unlistedCount = unlistedCount
    }

    /// The first problem and the number of others.
    public var description: String {
        guard let first = problems.first else { return "The document cannot be used." }
        let count = problems.count - 1 + unlistedCount
        let more = count > 0 ? " (and \(count) more)" : ""
        return first.summary + more
    }
}
