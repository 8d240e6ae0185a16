import Accounts
import ContentModel
import ContentServer
import Foundation
import HTTPTypes
import Hummingbird
import Ledger
import Operations
import PageRendering
import Publishing
import Workflows

/// The page of pending changes, with the button that publishes exactly these.
struct PublishPages {
    let app: DeskApp

    var routes: [DeskRoute] {
        [
            .get("/publish", .roles([.author, .publisher]), show),
            .post("/publish", .roles([.publisher]), publish),
            .post("/publish/approve", .roles([.author, .publisher]), approve),
            .post("/publish/regrade", .roles([.author]), regrade),
        ]
    }

    private func show(_ page: DeskRequest) async throws -> Response {
        try await show(page, problem: nil, status: .ok)
    }

    private func show(
        _ page: DeskRequest, problem: String?, status: HTTPResponse.Status
    ) async throws -> Response {
        let user = try page.signedIn()
        let place = app.workplace
        do {
            let (preview, last) = try await app.gate.run {
                (try ReleaseChange.preview(in: place), try place.publications().last)
            }
            let uptake = try await app.users.uptake?.uptake()
            let approvals = try await app.approvals.approvals(of: preview.fingerprint)
            var view = PublishView(
                preview, last: last, devices: uptake?.devices ?? 0, user: user,
                approvals: approvals, needsApproval: app.options.needsApproval, now: page.now)
            view.problem = problem
            return try app.render(
                "desk_publish", title: view.heading, in: .publish, view, for: page, status: status)
        } catch let error as PublishingError where error.code == .contentErrors {
            let view = BlockedView(error)
            return try app.render(
                "desk_publish_blocked", title: "Errors stop the publish", in: .publish, view,
                for: page, status: status)
        }
    }

    /// The page of content that cannot be published.
    private struct BlockedView {
        struct Error {
            var place: String
            var message: String
            var href: String?
        }

        var summary: String
        var errors: [Error]
        var more: String?

        init(_ error: PublishingError) {
            summary = error.message
            errors = error.problems.prefix(100).map { problem in
                Error(
                    place: "\(problem.file):\(problem.position.line)",
                    message: problem.message, href: nil)
            }
            let rest = error.problems.count - errors.count
            more = rest > 0 ? "And \(rest) more." : nil
        }
    }

    private func publish(_ page: DeskRequest) async throws -> Response {
        let user = try page.signedIn()
        guard let shown = page.form["shown"].flatMap({ Checksum($0) }) else {
            throw HTTPError(.badRequest)
        }
        if app.options.needsApproval {
            let approvals = try await app.approvals.approvals(of: shown)
            guard approvals.others(than: user.id) != nil else {
                return try await show(
                    page,
                    problem: approvals.isEmpty
                        ? "Somebody else has to approve these changes first. Nothing was published."
                        : "You approved these changes yourself: somebody else publishes them. Nothing was published.",
                    status: .conflict)
            }
        }
        var change = ReleaseChange(.publish)
        change.options.expectedFingerprint = shown
        do {
            try await page.run(change)
            return .redirect(to: DeskSection.releases.path)
        } catch let error as PublishingError
            where error.code == .drift || error.code == .busy || error.code == .contentErrors
        {
            return try await show(page, problem: error.message, status: .conflict)
        }
    }

    private func approve(_ page: DeskRequest) async throws -> Response {
        let user = try page.signedIn()
        guard app.options.needsApproval,
            let shown = page.form["shown"].flatMap({ Checksum($0) })
        else { throw HTTPError(.badRequest) }
        let place = app.workplace
        let present = try await app.gate.run { try ReleaseChange.preview(in: place).fingerprint }
        guard present == shown else {
            return try await show(
                page,
                problem:
                    "The content changed since you were shown it. Nothing was approved; look at it again.",
                status: .conflict)
        }
        try await app.approvals.approve(shown, by: user, at: page.now)
        app.toasts.show("You approved these changes. Somebody else can publish them.", to: user)
        return .redirect(to: DeskSection.publish.path)
    }

    /// Notes that the former key of a question was wrong, so that answers given before are scored again.
    private func regrade(_ page: DeskRequest) async throws -> Response {
        guard let bank = page.form["bank"], let question = page.form["question"] else {
            throw HTTPError(.badRequest)
        }
        try await page.run(RegradeChange(question, of: bank))
        return .redirect(to: DeskSection.publish.path)
    }
}
