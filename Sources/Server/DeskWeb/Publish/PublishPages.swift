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

/// What would go out, and the button that ships exactly this.
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

    private func publisher(_ user: DeskUser) -> Publisher {
        app.options.publisher(user.name)
    }

    private func show(_ page: DeskRequest) async throws -> Response {
        try await show(page, problem: nil, status: .ok)
    }

    private func show(
        _ page: DeskRequest, problem: String?, status: HTTPResponse.Status
    ) async throws -> Response {
        let user = try page.signedIn()
        let publisher = publisher(user)
        do {
            let (preview, last) = try await app.gate.run {
                (try PublishPreview(publisher), try publisher.publications().last)
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
        var publisher = publisher(user)
        publisher.expectedFingerprint = shown
        let (ready, now) = (publisher, app.users.clock())
        do {
            let summary = try await app.gate.run {
                try ready.publish(
                    nowSeconds: Int(now.timeIntervalSince1970),
                    generatedAt: now.formatted(.iso8601))
            }
            await page.note(.contentPublished, release: summary.release)
            app.toasts.show(
                summary.rollout.map { $0.sentence(of: summary.release) }
                    ?? "Release \(summary.release) is out. Phones get it with their next poll.",
                to: user)
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
        let publisher = publisher(user)
        let present = try await app.gate.run { try PublishPreview(publisher).fingerprint }
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
        let user = try page.signedIn()
        guard let bank = page.form["bank"], let question = page.form["question"] else {
            throw HTTPError(.badRequest)
        }
        let regrade = OldAnswers(
            options: app.options, bank: bank, question: question, now: app.users.clock())
        let result = try await app.gate.run { try regrade.scoreAgain(by: user.name) }
        app.toasts.show(result, to: user)
        return .redirect(to: DeskSection.publish.path)
    }
}
