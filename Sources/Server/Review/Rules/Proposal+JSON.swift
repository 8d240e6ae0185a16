package import ContentModel
import Foundation

extension Proposal.Evidence {
    /// The evidence as JSON, with shares in thousandths, so that a record is small and identical on every machine.
    package var json: JSONValue {
        .compact([
            "respondents": .integer(respondents), "reports": .integer(reports),
            "score": .decimal(Self.rounded(score)),
            "probability": probability.map { .decimal(Self.rounded($0)) },
            "outcome": outcome.map { .string($0) },
            "labels": .array(labels.map { .string($0) }),
            "shares": .array(shares.map { .integer(Int(($0 * 1000).rounded())) }),
            "groups": .array(
                groups.map { group in
                    [
                        "count": .integer(group.count),
                        "shares": .array(
                            group.shares.map { .integer(Int(($0 * 1000).rounded())) }),
                    ]
                }),
        ])
    }

    private static func rounded(_ number: Double) -> Double {
        number.isFinite ? (number * 10_000).rounded() / 10_000 : 0
    }

    /// The stored form of the evidence.
    package var text: String { String(decoding: json.canonicalBytes, as: UTF8.self) }

    /// Parses stored evidence; missing or unreadable parts are empty.
    package init(text: String) {
        self.init()
        guard let node = try? JSONParser.parse(Array(text.utf8)) else { return }
        respondents = node.member("respondents")?.value.integer ?? 0
        reports = node.member("reports")?.value.integer ?? 0
        score = node.member("score")?.value.number ?? 0
        probability = node.member("probability")?.value.number
        outcome = node.member("outcome")?.value.string
        labels = node.member("labels")?.value.elements.compactMap(\.string) ?? []
        shares = Self.shares(node.member("shares")?.value)
        groups = (node.member("groups")?.value.elements ?? []).map { group in
            Group(
                count: group.member("count")?.value.integer ?? 0,
                shares: Self.shares(group.member("shares")?.value))
        }
    }

    private static func shares(_ node: DocumentNode?) -> [Double] {
        (node?.elements ?? []).compactMap(\.number).map { $0 / 1000 }
    }
}

extension DocumentNode {
    fileprivate var integer: Int? {
        if case .integer(let value) = content { value } else { nil }
    }

    fileprivate var number: Double? {
        switch content {
        case .integer(let value): Double(value)
        case .decimal(let value): value
        default: nil
        }
    }

    fileprivate var string: String? {
        if case .string(let text) = content { text } else { nil }
    }

    fileprivate var elements: [DocumentNode] {
        if case .array(let nodes) = content { nodes } else { [] }
    }
}

extension Proposal {
    /// The proposal as JSON, with times in ISO 8601.
    package var json: JSONValue {
        .compact([
            "number": .integer(Int(number)), "bank": .string(bank),
            "question": .string(question), "version": .string(version), "key": .string(key),
            "proposedKey": proposedKey.map { .string($0) }, "state": .string(state.rawValue),
            "evidence": evidence.json, "flaggedAt": Self.time(flaggedAt),
            "changedAt": Self.time(changedAt),
            "decision": decision.map { decision in
                .compact([
                    "actor": .string(decision.actor), "at": Self.time(decision.at),
                    "reason": decision.reason.isEmpty ? nil : .string(decision.reason),
                ])
            },
            "release": release.map { .integer($0) }, "shippedAt": shippedAt.map(Self.time),
            "follows": follows.map { .integer(Int($0)) },
        ])
    }

    private static func time(_ milliseconds: Int64) -> JSONValue {
        .string(
            Date(timeIntervalSince1970: Double(milliseconds) / 1000).formatted(.iso8601))
    }
}
