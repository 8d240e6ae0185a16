import Accounts
import Foundation
import HTTPTypes
import Hummingbird

/// The page of the audit log, the newest entry first.
struct AuditPages {
    let app: DeskApp

    /// The entries of a page.
    private static let pageCount = 100

    var routes: [DeskRoute] { [.get("/audit", .roles([.administrator]), list)] }

    private struct View {
        struct Row {
            var time: DeskTime
            var actor: String
            var action: String
            var subject: String
            var detail: String
        }

        struct Choice {
            var value: String
            var name: String
            var isChosen: Bool
        }

        var rows: [Row]
        var hasRows: Bool
        var choices: [Choice]
        var older: String?
    }

    private static let kinds = [
        ("", "Everything"), ("role", "Roles"), ("account", "Accounts"), ("proposal", "Proposals"),
        ("content", "Approvals"), ("release", "Releases"), ("board", "Boards"),
        ("event", "Live events"), ("database", "Database"),
    ]

    private func list(_ page: DeskRequest) async throws -> Response {
        let kind = page.query("kind").flatMap { kind in
            Self.kinds.contains { $0.0 == kind } ? kind : nil
        }
        let entries = try await app.administration.entries(
            before: page.query("before").flatMap { Int64($0) }, limit: Self.pageCount,
            action: kind)
        let names = try await names(of: Set(entries.flatMap { [$0.actor, $0.subject] }))
        let view = View(
            rows: entries.map { entry in
                View.Row(
                    time: DeskTime(entry.time, now: page.now),
                    actor: names[entry.actor] ?? entry.actor, action: entry.action.rawValue,
                    subject: names[entry.subject] ?? String(entry.subject.prefix(40)),
                    detail: entry.detail)
            }, hasRows: !entries.isEmpty,
            choices: Self.kinds.map {
                .init(value: $0.0, name: $0.1, isChosen: $0.0 == kind ?? "")
            },
            older: entries.count < Self.pageCount
                ? nil
                : entries.last.map {
                    "\(DeskSection.audit.path)?before=\($0.number)"
                        + (kind.map { "&kind=\($0)" } ?? "")
                })
        return try app.render("desk_audit", title: "Audit log", in: .audit, view, for: page)
    }

    /// Returns the emails of accounts that have a role, by id.
    private func names(of ids: Set<String>) async throws -> [String: String] {
        let roles = try await app.administration.roles()
        return Dictionary(
            roles.compactMap { one in
                ids.contains(one.user) ? one.email.map { (one.user, $0) } : nil
            }, uniquingKeysWith: { first, _ in first })
    }
}
