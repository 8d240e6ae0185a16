/// A table of users' data in the form that both databases have in common.
///
/// The rows of a table have the same columns and the same order in both. Sums and numbers that follow from other
/// rows (statistics, numbers of texts, counts by collection, first answers) are not copied: the target makes them.
package enum CopyTable: String, Sendable, Hashable, CaseIterable {
    // In the order in which they are written: rows refer to those of earlier tables.
    case settings, accounts, passwords, identities, emailCodes, refreshTokens
    case devices, records, damagedRecords, marks, results, answers, moves
    case boardProfiles, boardDefinitions
    case events, eventSubmissions, eventScores
    case deviceContents, roles, auditEntries, proposals, releaseSpreads

    /// The columns.
    ///
    /// A target makes trailing ones from other tables; they are compared like all others.
    package var columns: [CopyColumn] {
        switch self {
        case .settings: [.text("name"), .text("value")]
        case .accounts: Self.account
        case .passwords:
            [
                .integer("account"), .text("email"), .bytes("salt"), .bytes("hash"),
                .integer("rounds"), .integer("verified_at"),
            ]
        case .identities: [.text("issuer"), .text("subject"), .integer("account")]
        case .emailCodes:
            [
                .integer("account"), .text("purpose"), .bytes("hash"), .text("email"),
                .integer("expires_at"),
            ]
        case .refreshTokens:
            [
                .bytes("hash"), .text("family"), .bytes("parent"), .integer("account"),
                .integer("expires_at"), .integer("used_at"), .integer("generation"),
            ]
        case .devices: Self.device
        case .records:
            [
                .integer("account"), .text("collection"), .text("id"), .integer("position"),
                .integer("batch"), .integer("deleted_at"), .text("json"),
            ]
        case .damagedRecords:
            [
                .integer("account"), .text("collection"), .text("id"), .integer("position"),
                .integer("found_at"), .text("json"),
            ]
        case .marks: [.integer("account"), .integer("position"), .text("text")]
        case .results:
            [
                .integer("account"), .text("device"), .integer("counter"), .text("kind"),
                .integer("revision"), .text("refusal"), .bytes("hash"),
            ]
        case .answers: CopiedAnswer.columns
        case .moves:
            [
                .text("source"), .text("target"), .integer("answers"), .integer("begun_at"),
                .integer("finished_at"), .text("place"),
            ]
        case .boardProfiles:
            [
                .integer("account"), .text("code"), .text("name"), .integer("is_listed"),
                .integer("is_name_blocked"),
            ]
        case .boardDefinitions: [.text("name"), .text("text")]
        case .events:
            [
                .integer("number"), .text("id"), .text("name"), .text("text"),
                .integer("frozen_at"), .integer("places"),
            ]
        case .eventSubmissions:
            [
                .integer("event"), .integer("account"), .text("id"), .integer("points"),
                .integer("at"),
            ]
        case .eventScores:
            [
                .integer("event"), .integer("account"), .integer("score"), .integer("second"),
                .integer("submissions"), .integer("rank"),
            ]
        case .deviceContents:
            [
                .integer("account"), .text("device"), .integer("release"), .text("obstacle"),
                .integer("since"), .integer("day"),
            ]
        case .roles: [.integer("account"), .text("role"), .integer("since")]
        case .auditEntries:
            [
                .integer("number"), .integer("at"), .text("actor"), .text("action"),
                .text("subject"), .text("detail"),
            ]
        case .proposals: Self.proposal
        case .releaseSpreads:
            [
                .integer("release"), .integer("served_at"), .integer("half"), .integer("most"),
                .integer("nearly_all"),
            ]
        }
    }

    private static let proposal: [CopyColumn] = [
        .integer("number"), .text("bank"), .text("question"), .text("version"), .text("key"),
        .text("proposed_key"), .text("state"), .text("evidence"), .integer("flagged_at"),
        .integer("changed_at"), .text("actor"), .integer("decided_at"), .text("reason"),
        .integer("release"), .integer("shipped_at"), .integer("follows"),
    ]

    private static let account: [CopyColumn] = [
        .integer("number"), .text("id"), .integer("created_at"), .integer("position"),
        .integer("purged_through"), .text("digest"), .text("epoch"), .integer("record_bytes"),
        .integer("answer_bytes"), .integer("answer_count"), .integer("last_used_at"),
        .integer("deleted_at"), .integer("token_generation"),
    ]

    /// The last answer follows from the answers; the place is that among the account's devices, from 1.
    private static let device: [CopyColumn] = [
        .integer("account"), .text("name"), .integer("processed_before"),
        .integer("request_number"), .bytes("request_hash"), .integer("head_position"),
        .text("head_epoch"), .integer("last_seen_at"), .integer("is_retired"),
        .integer("last_answer"), .integer("place"),
    ]
}

/// A column of a copied table.
package struct CopyColumn: Sendable, Hashable {
    /// The form of its values; each may be missing too.
    package enum Kind: Sendable, Hashable {
        case integer, number, text, bytes
    }

    /// The name in the results of both databases.
    package let name: String
    /// The form of its values.
    package let kind: Kind

    package init(name: String, kind: Kind) {
        self.name = name
        self.kind = kind
    }

    static func integer(_ name: String) -> CopyColumn { CopyColumn(name: name, kind: .integer) }
    static func number(_ name: String) -> CopyColumn { CopyColumn(name: name, kind: .number) }
    static func text(_ name: String) -> CopyColumn { CopyColumn(name: name, kind: .text) }
    static func bytes(_ name: String) -> CopyColumn { CopyColumn(name: name, kind: .bytes) }
}

/// A value of a copied row.
package enum CopyValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case number(Double)
    case text(String)
    case bytes([UInt8])

    /// The integer; `nil` for anything else.
    package var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
    /// The number; `nil` for anything else.
    package var number: Double? { if case .number(let value) = self { value } else { nil } }
    /// The text; `nil` for anything else.
    package var text: String? { if case .text(let value) = self { value } else { nil } }
    /// The bytes; `nil` for anything else.
    package var bytes: [UInt8]? { if case .bytes(let value) = self { value } else { nil } }
}

/// The values of a row, in the order of the table's columns.
package typealias CopyRow = [CopyValue]
