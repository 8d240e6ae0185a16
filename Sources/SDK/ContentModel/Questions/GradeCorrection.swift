/// A correction of a wrong key, by which answers to earlier versions of a question are regraded.
///
/// A key that changes because the world did (a law, a price) has no correction: earlier answers retain their grades.
///
/// ```swift
/// let correction = GradeCorrection(
///     question: "swift-001", versions: [published.contentVersion], was: "b", is: "a",
///     day: "2026-05-03")
/// ```
public struct GradeCorrection: Hashable, Sendable {
    /// The question's id.
    public var question: String
    /// The versions that had the wrong key, see `Question.contentVersion`.
    public var versions: [String]
    /// The wrong key: the ids of its options separated by spaces, or its number.
    public var was: String
    /// The right key, in the same form.
    public var `is`: String
    /// The day of the correction, as `2026-05-03`; `nil` if not recorded.
    public var day: String?

    /// Creates a correction without any check.
    public init(question: String, versions: [String], was: String, is: String, day: String? = nil) {
        self.question = question
        self.versions = versions
        self.was = was
        self.is = `is`
        self.day = day
    }

    /// Returns true if answers are regraded by it: the question can have the right key, and its key is not the wrong
    /// one.
    ///
    /// - Parameter question: The question as the bank has it now.
    /// - Returns: False for one without effect.
    package func isEffective(for question: Question) -> Bool {
        question.withKey(self.is) != nil && !question.hasKey(was)
    }

    /// The canonical JSON form.
    package var json: JSONValue {
        .compact([
            "question": .string(question), "versions": .array(versions.map { .string($0) }),
            "was": .string(was), "is": .string(`is`), "day": day.map { .string($0) },
        ])
    }
}

extension Blueprint {
    /// Reads a file of corrections, a list or an object with `corrections`, and adds them.
    package mutating func addCorrections(_ node: DocumentNode, report: DecodingReport) {
        if case .array(let nodes) = node.content {
            addCorrections(nodes, report)
        } else if let reader = ObjectReader(node, fields: ["corrections"], report: report),
            let nodes = reader.requiredArray("corrections")
        {
            addCorrections(nodes, report)
        }
    }

    /// Adds the readable corrections; those beyond `ContentLimits.correctionsMax` are an error.
    mutating func addCorrections(_ nodes: [DocumentNode], _ report: DecodingReport) {
        let limit = report.limit(.corrections)
        if corrections.count + nodes.count > limit, let first = nodes.first {
            report.note(
                .limitExceeded, at: first.position,
                "more than \(limit) corrections in one blueprint")
            return
        }
        corrections += nodes.compactMap { node in
            report.part { GradeCorrection.read(node, report: $0) }
        }
    }
}

extension GradeCorrection {
    /// Reads one correction.
    fileprivate static func read(
        _ node: DocumentNode, report: DecodingReport
    ) -> GradeCorrection? {
        guard let reader = ObjectReader(node, as: .correction, report: report) else { return nil }
        let question = reader.requiredString("question")
        let versions = (reader.requiredArray("versions") ?? []).compactMap {
            version(of: $0, report)
        }
        let (was, right) = (reader.requiredString("was"), reader.requiredString("is"))
        let day = reader.optional { $0.value("day", "a day as 2026-05-03", validDay) }
        guard let question, let was, let right else { return nil }
        let limit = report.limit(.correctedVersions)
        if versions.isEmpty || versions.count > limit {
            report.note(
                .invalidValue, at: node.position,
                "a correction names 1 to \(limit) versions of its question")
        }
        if was == right {
            report.note(.invalidValue, at: node.position, "\"was\" and \"is\" are the same key")
        }
        return GradeCorrection(
            question: question, versions: versions, was: was, is: right, day: day)
    }

    private static func version(of node: DocumentNode, _ report: DecodingReport) -> String? {
        if case .string(let text) = node.content, let checksum = Checksum(text) {
            return checksum.description
        }
        report.note(
            .invalidValue, at: node.position, "a version is `sha256:` with 64 hexadecimal digits")
        return nil
    }

    private static func validDay(_ text: String) -> String? {
        text.wholeMatch(of: /\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])/) == nil ? nil : text
    }
}
