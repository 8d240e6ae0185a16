/// A part of an exam, such as "Networking".
public struct Domain: Hashable, Sendable {
    /// Stable and unique in its exam.
    public var id: String
    /// What is shown.
    public var title: String
    /// Its share of the exam, in any unit; the shares of all domains are compared.
    public var weight: Double

    /// Describes a domain.
    public init(id: String, title: String, weight: Double) {
        self.id = id
        self.title = title
        self.weight = weight
    }
}

/// From how many points on a learner is placed at a level.
public struct CutScore: Hashable, Sendable {
    /// The level's label, such as `A2`.
    public var level: String
    /// The lowest sum of points that reaches it.
    public var from: Int

    /// Describes a cut score.
    public init(level: String, from: Int) {
        self.level = level
        self.from = from
    }
}

/// How the answers to a blueprint become a result.
public struct Scoring: Hashable, Sendable {
    /// The levels of a placement test, from 0 points upwards.
    public var cuts: [CutScore]
    /// The share of the points that passes an exam, from 0 to 1.
    public var passFraction: Double?

    /// Describes a scoring.
    public init(cuts: [CutScore] = [], passFraction: Double? = nil) {
        self.cuts = cuts
        self.passFraction = passFraction
    }
}

/// One test or question bank with its scoring.
public struct Blueprint: Hashable, Sendable {
    /// What a blueprint is for.
    public enum Kind: String, Sendable, Hashable {
        /// Places a learner of a language.
        case placement
        /// Prepares for an exam of a region.
        case exam
    }

    /// What it is for.
    public var kind: Kind
    /// The language code of a placement test, or `region/exam`.
    public var id: String
    /// What is shown.
    public var title: String
    /// A human's hint, never compared.
    public var version: String
    /// The parts of an exam; empty where there are none.
    public var domains: [Domain]
    /// What the difficulties 1 to 5 are called.
    public var levels: [Int: String]
    /// How answers become a result.
    public var scoring: Scoring
    /// The questions in the order of the author.
    public var questions: [Question]
    /// How many questions more the author wrote that this version cannot ask.
    public var leftOutCount = 0

    /// Describes a blueprint; nothing is checked here, see `Blueprint.read`.
    public init(
        kind: Kind, id: String, title: String, version: String, domains: [Domain] = [],
        levels: [Int: String] = [:], scoring: Scoring = Scoring(), questions: [Question]
    ) {
        self.kind = kind
        self.id = id
        self.title = title
        self.version = version
        self.domains = domains
        self.levels = levels
        self.scoring = scoring
        self.questions = questions
    }

    /// The region of an exam.
    public var region: String? { Identifier.examKey(id)?.region }

    /// The canonical JSON form.
    public var json: JSONValue {
        .compact([
            "kind": .string(kind.rawValue), "id": .string(id), "title": .string(title),
            "version": .string(version),
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
        if cuts.isEmpty, passFraction == nil { return nil }
        return .compact([
            "cuts": cuts.isEmpty
                ? nil
                : .array(cuts.map { ["level": .string($0.level), "from": .integer($0.from)] }),
            "pass": passFraction.map { .decimal($0) },
        ])
    }
}
