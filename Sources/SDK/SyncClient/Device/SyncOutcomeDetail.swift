/// The value of an outcome of content in a ``DeviceSyncSummary``.
///
/// In JSON it is a value of its own kind: `null`, a number, text or an object.
package enum SyncOutcomeDetail: Sendable, Hashable {
    /// No value, for content that is up to date.
    case none
    /// The installed release, or the number of repaired documents.
    case number(Int)
    /// A date (RFC 3339), a reason, or the code of a failure.
    case text(String)
    /// The installed release, and the older one that is offered until a date (RFC 3339).
    case releases(installed: Int, offered: Int, until: String)
}

extension SyncOutcomeDetail: Codable {
    private enum CodingKeys: String, CodingKey {
        case installed
        case offered
        case until
    }

    /// Encodes the value.
    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .none:
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        case .number(let number):
            var container = encoder.singleValueContainer()
            try container.encode(number)
        case .text(let text):
            var container = encoder.singleValueContainer()
            try container.encode(text)
        case .releases(let installed, let offered, let until):
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(installed, forKey: .installed)
            try container.encode(offered, forKey: .offered)
            try container.encode(until, forKey: .until)
        }
    }

    /// Decodes the value.
    package init(from decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: CodingKeys.self) {
            self = .releases(
                installed: try container.decode(Int.self, forKey: .installed),
                offered: try container.decode(Int.self, forKey: .offered),
                until: try container.decode(String.self, forKey: .until))
            return
        }
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .none
        } else if let number = try? container.decode(Int.self) {
            self = .number(number)
        } else {
            self = .text(try container.decode(String.self))
        }
    }
}
