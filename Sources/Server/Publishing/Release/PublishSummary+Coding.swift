import ContentModel

extension PublishSummary: Codable {
    private enum CodingKeys: String, CodingKey {
        case release
        case isNew
        case changed
        case removed
        case restored
        case revived
        case foreign
        case drifted
        case damagedObjects
        case continuedAfter
        case adopted
        case unitsBuilt
        case unitsTotal
        case objectsWritten
        case manifestBytes
        case warnings
        case uncorrected
        case blueprints
        case rollout
    }

    /// Encodes the form of `publish --json`: all members, with `null` for no number to continue after.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(release, forKey: .release)
        try container.encode(isNew, forKey: .isNew)
        for (key, path) in Self.lists { try container.encode(self[keyPath: path], forKey: key) }
        for (key, path) in Self.counts { try container.encode(self[keyPath: path], forKey: key) }
        try container.encode(continuedAfter, forKey: .continuedAfter)
        try container.encode(ProblemSummary(warnings), forKey: .warnings)
        try container.encode(uncorrected, forKey: .uncorrected)
        try container.encodeIfPresent(rollout, forKey: .rollout)
    }

    /// Decodes the form of `publish --json`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init()
        release = try container.decode(Int.self, forKey: .release)
        isNew = try container.decode(Bool.self, forKey: .isNew)
        for (key, path) in Self.lists {
            self[keyPath: path] = try container.decode([String].self, forKey: key)
        }
        for (key, path) in Self.counts {
            self[keyPath: path] = try container.decode(Int.self, forKey: key)
        }
        continuedAfter = try container.decode(Int?.self, forKey: .continuedAfter)
        warnings = try container.decode(ProblemSummary.self, forKey: .warnings).problems
        uncorrected =
            try container.decodeIfPresent([KeyChange].self, forKey: .uncorrected) ?? []
        rollout = try container.decodeIfPresent(RolloutSummary.self, forKey: .rollout)
    }

    private static var lists: [(CodingKeys, WritableKeyPath<PublishSummary, [String]>)] {
        [
            (.changed, \.changed), (.removed, \.removed), (.restored, \.restored),
            (.revived, \.revived), (.foreign, \.foreign), (.drifted, \.drifted),
            (.damagedObjects, \.damagedObjects), (.adopted, \.adopted),
        ]
    }

    private static var counts: [(CodingKeys, WritableKeyPath<PublishSummary, Int>)] {
        [
            (.unitsBuilt, \.unitsBuilt), (.unitsTotal, \.unitsTotal),
            (.objectsWritten, \.objectsWritten), (.manifestBytes, \.manifestBytes),
            (.blueprints, \.blueprints),
        ]
    }
}
