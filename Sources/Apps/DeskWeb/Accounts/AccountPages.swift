import Accounts
import ContentModel
import Foundation
import HTTPTypes
import Hummingbird
import Ledger
import PageRendering
import Workflows

/// The pages of accounts and their roles at the desk.
struct AccountPages {
    let app: DeskApp

    var routes: [DeskRoute] {
        [
            .get("/accounts", .roles([.administrator]), list),
            .post("/accounts/roles", .roles([.administrator]), formBytesMax: 8 * 1024, change),
        ]
    }

    private struct View {
        struct RoleOfAccount {
            var name: String
            var since: DeskTime
            var isOwn: Bool
            var user: String
            var label: String
        }

        struct Row {
            var name: String
            var user: String
            var roles: [RoleOfAccount]
        }

        var rows: [Row]
        var roles: [String]
        var action = DeskSection.accounts.path + "/roles"
        var problem: String?
        var typed: String
    }

    private func list(_ page: DeskRequest) async throws -> Response {
        try await list(page, problem: nil, status: .ok)
    }

    private func list(
        _ page: DeskRequest, problem: String?, status: HTTPResponse.Status
    ) async throws -> Response {
        let user = try page.signedIn()
        let assignments = try await app.administration.roles()
        let rows = Dictionary(grouping: assignments, by: \.user).map { id, roles in
            let name = roles.compactMap(\.email).first ?? id
            return View.Row(
                name: name, user: id,
                roles: roles.sorted { $0.role.rawValue < $1.role.rawValue }.map { one in
                    .init(
                        name: one.role.rawValue, since: DeskTime(one.since, now: page.now),
                        isOwn: id == user.id && one.role == .administrator, user: id,
                        label: "Take \(one.role.rawValue) from \(name)")
                })
        }.sorted { $0.name < $1.name }
        let view = View(
            rows: rows, roles: Role.allCases.map(\.rawValue), problem: problem,
            typed: page.form["account"] ?? "")
        return try app.render(
            "desk_accounts", title: "Accounts", in: .accounts, view, for: page, status: status)
    }

    private func change(_ page: DeskRequest) async throws -> Response {
        let user = try page.signedIn()
        guard let role = page.form["role"].flatMap(Role.init(rawValue:)),
            let name = page.form["account"]?.trimmingCharacters(in: .whitespaces),
            let isGranted = ["grant": true, "revoke": false][page.form["change"] ?? ""]
        else { throw HTTPError(.badRequest) }
        guard user.session.isFresh(app.users.clock()) else {
            return try await list(
                page,
                problem:
                    "Roles are changed only right after signing in. Sign out, sign in again, and repeat it within a few minutes.",
                status: .forbidden)
        }
        do {
            try await page.run(RoleChange(role, isGranted: isGranted, to: name))
        } catch let error as WorkflowError {
            return try await list(
                page, problem: error.message, status: DeskProblem(error).status)
        }
        return .redirect(to: DeskSection.accounts.path)
    }
}
