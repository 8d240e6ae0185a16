/// A part of an exam, such as "Networking".
public struct Domain: Hashable, Sendable, Identifiable {
    /// The domain's id, stable and unique in its exam.
    public var id: String
    /// The shown title.
    public var title: String
    /// The domain's share of the exam, in any unit; only the ratio to the other domains matters.
    public var weight: Double

    /// Creates a domain.
    public init(id: String, title: String, weight: Double) {
        self.id = id
        self.title = title
        self.weight = weight
    }
}

/// The minimum number of points for a level of a placement test.
public struct CutScore: Hashable, Sendable, Identifiable {
    /// The level's label, such as `A2`.
    public var level: String
    /// The lowest total of points that reaches the level.
    public var from: Int

    /// The level, unique within a test.
    public var id: String { level }

    /// Creates a cut score.
    public init(level: String, from: Int) {
        self.level = level
        self.from = from
    }
}

/// The rules that convert the answers to a blueprint into a result.
public struct Scoring: Hashable, Sendable {
    /// The levels of a placement test, from 0 points upwards.
    public var cuts: [CutScore]
    /// The number of questions for which the cuts were set; `nil` for all of the author's questions.
    public var outOf: Int?
    /// The fraction of the points that passes an exam, from 0 to 1.
    public var passFraction: Double?

    /// Creates scoring rules.
    public init(cuts: [CutScore] = [], outOf: Int? = nil, passFraction: Double? = nil) {
        self.cuts = cuts
        self.outOf = outOf
        self.passFraction = passFraction
    }
}

/// A test or question bank with its scoring.
///
/// ```swift
/// let question = Question(
///     id: "q1", type: .singleChoice, difficulty: 1, stem: "1 + 1?",
///     options: [QuestionOption(id: "a", text: "2"), QuestionOption(id: "b", text: "3")],
///     correct: [0])
/// let bank = Blueprint(
///     kind: .exam, id: "ca/math", title: "Arithmetic", version: "1",
///     scoring: Scoring(passFraction: 0.7), questions: [question])
/// let released = try Blueprint(released: bank.canonicalBytes)
/// print(released == bank, bank.region ?? "no region")
/// ```
public struct Blueprint: Hashable, Sendable, Identifiable {
    /// The purpose of a blueprint.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The blueprint places a learner of a language.
        case placement
        /// The blueprint prepares for an exam of a region.
        case exam
    }

    /// The purpose.
    public var kind: Kind
    /// The language code of a placement test, or `region/exam`.
    public var id: String
    /// The shown title.
    public var title: String
    /// A hint for people, never compared.
    public var version: String
    /// The domains of an exam; empty without any.
    public var domains: [Domain]
    /// The names of the difficulties 1 to 5.
    public var levels: [Int: String]
    /// The rules that convert answers into a result.
    public var scoring: Scoring
    /// The questions in the author's order.
    public var questions: [Question]
    /// The corrections of wrong keys, in the order in which they were made; the later of two for one version counts.
    public var corrections: [GradeCorrection] = []
    /// The number of further questions that this version cannot read.
    public var leftOutCount = 0
    /// The language of the texts (BCP 47); `nil` if the author does not declare one.
    public var language: String?
    /// The form of texts that an author declares for all questions; not a part of a release, whose questions have it.
    package var textForm = TextForm.plain

    /// Creates a blueprint without any check; see `Blueprint.read`.
    public init(
        kind: Kind, id: String, title: String, version: String, domains: [Domain] = [],
        levels: [Int: String] = [:], scoring: Scoring = Scoring(), questions: [Question],
        corrections: [GradeCorrection] = []
    ) {
        self.kind = kind
        self.id = id
        self.title = title
        self.version = version
        self.domains = domains
        self.levels = levels
        self.scoring = scoring
        self.questions = questions
        self.corrections = corrections
    }

    /// The region of an exam.
    public var region: String? { Identifier.examKey(id)?.region }

    /// The language of the texts (BCP 47): that which the author declares, or that of a placement test; `nil` if unknown.
    public var textLanguage: String? { language ?? (kind == .placement ? id : nil) }

    /// The canonical JSON form.
    public var json: JSONValue {
        .compact([
            "kind": .string(kind.rawValue), "id": .string(id), "title": .string(title),
            "version": .string(version), "language": language.map { .string($0) },
            "corrections": corrections.isEmpty ? nil : .array(corrections.map(\.json)),
            "domains": domains.isEmpty ? nil : .array(domains.map(\.json)),
            "levels": levels.isEmpty
                ? nil
                : .object(
                    Dictionary(uniqueKeysWithValues: levels.map { ("\($0)", .string($1)) })),
            "scoring": scoring.json, "questions": .array(questions.map(\.json)),
        ])
    }
}

extension Domain {
    var json: JSONValue {
        ["id": .string(id), "title": .string(title), "weight": .decimal(weight)]
    }
}

extension Scoring {
    var json: JSONValue? {
        if cuts.isEmpty, outOf == nil, passFraction == nil { return nil }
        return .compact([
            "cuts": cuts.isEmpty
                ? nil
                : .array(cuts.map { ["level": .string($0.level), "from": .integer($0.from)] }),
            "outOf": outOf.map { .integer($0) }, "pass": passFraction.map { .decimal($0) },
        ])
    }
}
