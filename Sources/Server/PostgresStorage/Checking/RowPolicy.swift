import PostgresDriver

/// A policy of a table of users.
struct RowPolicy: Sendable, Hashable {
    /// The command that it is for, as the catalog has it.
    enum Command: String, Sendable {
        case all = "*"
        case select = "r"
        case insert = "a"
        case update = "w"
        case delete = "d"
    }

    /// A condition; two are equal when they differ in parentheses, spaces and names of results alone.
    struct Condition: Sendable, Hashable {
        let text: String

        init(_ text: String) { self.text = text }

        private var essence: String {
            text.replacing(#/ AS \w+/#, with: "").filter { !" ()\n".contains($0) }.lowercased()
        }

        static func == (one: Condition, other: Condition) -> Bool { one.essence == other.essence }

        func hash(into hasher: inout Hasher) { hasher.combine(essence) }
    }

    let table: String
    let name: String
    let command: Command
    let roles: [String]
    let visible: Condition?
    let writable: Condition?
    let isPermissive: Bool

    init(
        _ table: String, _ name: String, _ command: Command = .all, to roles: [String],
        visible: String?, writable: String? = nil, isPermissive: Bool = true
    ) {
        self.table = table
        self.name = name
        self.command = command
        self.roles = roles.sorted()
        self.visible = visible.map(Condition.init)
        self.writable = writable.map(Condition.init)
        self.isPermissive = isPermissive
    }

    /// The table and the name.
    var place: String { "\(table) \(name)" }

    /// The statement that makes it.
    var statement: String {
        let commands: [Command: String] = [
            .select: " FOR SELECT", .insert: " FOR INSERT", .update: " FOR UPDATE",
            .delete: " FOR DELETE",
        ]
        return "CREATE POLICY \(name) ON underway.\(table)\(commands[command] ?? "")"
            + " TO \(roles.joined(separator: ", "))"
            + (visible.map { " USING (\($0.text))" } ?? "")
            + (writable.map { " WITH CHECK (\($0.text))" } ?? "") + ";"
    }
}

extension RowPolicy {
    /// The policies that the migrations of this version make.
    static let expected: [RowPolicy] =
        accountPolicies + ownPolicies + upkeepPolicies + signInPolicies + erasurePolicies
        + boardPolicies + eventPolicies + operationPolicies + reviewPolicies + regradePolicies
        + movePolicies

    private static let movePolicies = [
        full("account_move", "accounts", to: "underway_accounts"),
        RowPolicy(
            "device", "keeper", .select, to: ["underway_keeper"],
            visible: "name ~ '^d[A-Za-z0-9_-]{22}$'::text"),
    ]

    private static let ledgerTables = [
        "device", "record", "damaged_record", "mark", "result", "own_name", "session", "answer",
        "question_day", "question_domain", "answer_day", "session_score", "board_profile",
        "event_submission", "event_score", "device_content", "regraded_answer",
    ]

    private static let contributedTables = ["contributor", "question_report", "first_answer_inbox"]

    private static let boardPolicies =
        ["board_change", "board_definition", "board", "board_score", "board_bucket"].map {
            full($0, "keeper", to: "underway_keeper")
        }
        + [
            RowPolicy(
                "session_score", "keeper", .select, to: ["underway_keeper"], visible: "true"),
            full("board_profile", "keeper", to: "underway_keeper"),
            RowPolicy(
                "board_change", "own", .insert, to: ["authenticated"], visible: nil,
                writable: "member = \(ClaimMigration.derived)"),
            RowPolicy(
                "board_change", "accounts", .insert, to: ["underway_accounts"], visible: nil,
                writable: "true"),
        ]

    private static let eventPolicies =
        ["event", "event_submission", "event_score"].map {
            full($0, "keeper", to: "underway_keeper")
        }
        + [RowPolicy("event", "all_read", .select, to: ["authenticated"], visible: "true")]

    private static let operationPolicies = [
        RowPolicy("device_content", "keeper", .select, to: ["underway_keeper"], visible: "true"),
        full("role", "keeper", to: "underway_keeper"),
        full("role", "accounts", to: "underway_accounts"),
        RowPolicy("audit", "keeper", .select, to: ["underway_keeper"], visible: "true"),
        RowPolicy(
            "audit", "appended", .insert, to: ["underway_keeper"], visible: nil, writable: "true"),
        RowPolicy(
            "audit", "accounts", .insert, to: ["underway_accounts"], visible: nil,
            writable: "true"),
        RowPolicy(
            "audit", "expired", .delete, to: ["underway_keeper"],
            visible: "at < (SELECT underway.audit_end())"),
    ]

    private static let reviewPolicies =
        [
            "contributor", "first_answer_inbox", "first_answer", "question_report", "review_change",
            "proposal", "release_spread",
        ].map { full($0, "keeper", to: "underway_keeper") }
        + ["contributor", "question_report"].map { full($0, "accounts", to: "underway_accounts") }
        + [
            RowPolicy(
                "review_change", "own", .insert, to: ["authenticated"], visible: nil,
                writable: "member = \(ClaimMigration.derived)")
        ]

    private static let regradePolicies =
        ["corrected_version", "regrade_state", "regrade_note"].map {
            full($0, "keeper", to: "underway_keeper")
        }
        + ["corrected_version", "regrade_state"].map {
            RowPolicy($0, "all_read", .select, to: ["authenticated"], visible: "true")
        }
        + [
            RowPolicy(
                "regrade_note", "own", to: ["authenticated"],
                visible: "member = \(ClaimMigration.derived)"),
            RowPolicy(
                "regraded_answer", "keeper", .select, to: ["underway_keeper"], visible: "true"),
            RowPolicy(
                "own_name", "keeper", .select, to: ["underway_keeper"],
                visible: "kind <> 'options'::text"),
        ]

    private static func full(_ table: String, _ name: String, to role: String) -> RowPolicy {
        RowPolicy(table, name, to: [role], visible: "true", writable: "true")
    }

    private static let accountPolicies = [
        RowPolicy(
            "account", "own", to: ["authenticated"],
            visible: "user_id = (SELECT underway.token_user())",
            writable: "user_id = (SELECT underway.token_user())"),
        full("account", "accounts", to: "underway_accounts"),
        full("account", "keeper", to: "underway_keeper"),
    ]

    private static let ownPolicies = (ledgerTables + contributedTables).map { table in
        RowPolicy(
            table, "own", to: ["authenticated"], visible: "account = \(ClaimMigration.derived)",
            writable: "account = \(ClaimMigration.derived)")
    }

    private static let upkeepPolicies =
        [
            RowPolicy(
                "record", "keeper", to: ["underway_keeper"], visible: "deleted_at IS NOT NULL"),
            RowPolicy(
                "damaged_record", "keeper", .select, to: ["underway_keeper"], visible: "true"),
            RowPolicy(
                "setting", "all_read", .select,
                to: ["authenticated", "underway_accounts", "underway_keeper"], visible: "true"),
            full("setting", "keeper", to: "underway_keeper"),
        ]
        + ["answer", "question_day", "question_domain"].map { table in
            RowPolicy(
                table, "orphans", .select, to: ["underway_keeper"],
                visible: "NOT (EXISTS (SELECT FROM underway.account a"
                    + " WHERE a.number = \(table).account))"
            )
        }

    private static let signInPolicies =
        [
            "password", "identity", "email_code", "refresh_token", "revocation", "instance_mark",
            "failed_attempt",
        ].map { full($0, "accounts", to: "underway_accounts") }
        + ["password", "identity", "email_code", "refresh_token", "failed_attempt"].map { table in
            RowPolicy(table, "keeper", to: ["underway_keeper"], visible: "true")
        }
        + [
            RowPolicy(
                "setting", "accounts", to: ["underway_accounts"],
                visible: "name = ANY (ARRAY['generation'::text, 'keyPrint'::text])",
                writable: "name = ANY (ARRAY['generation'::text, 'keyPrint'::text])")
        ]

    private static let erasurePolicies =
        [
            RowPolicy(
                "account", "erased", to: ["underway_owner"],
                visible: "number = (SELECT underway.erased()) OR deleted_at IS NOT NULL")
        ]
        + (ledgerTables + contributedTables + [
            "password", "identity", "email_code", "refresh_token", "role",
        ]).map {
            table in
            RowPolicy(
                table, "erased", to: ["underway_owner"],
                visible: "account = (SELECT underway.erased())")
        }
}
