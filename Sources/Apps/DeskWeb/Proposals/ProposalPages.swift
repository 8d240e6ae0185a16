import Accounts
import ContentModel
import ContentServer
import Foundation
import HTTPTypes
import Hummingbird
import PageRendering
import Publishing
import Review
import ServiceAPI
import Workflows

/// The questions whose key is probably wrong: the ranked list, the evidence for one, and what an author decides.
struct ProposalPages {
    let app: DeskApp

    private static let access = DeskAccess.roles([.author, .publisher])

    var routes: [DeskRoute] {
        [
            .get("/proposals", Self.access, list), .get("/proposals/:number", Self.access, show),
            .post("/proposals/:number/confirm", .roles([.author]), confirm),
            .post("/proposals/:number/dismiss", .roles([.author]), dismiss),
        ]
    }

    private struct View {
        struct Filter {
            var href: String
            var title: String
            var isCurrent: Bool
        }

        var filters: [Filter]
        var rows: [ProposalRow]
        var hasRows: Bool
        var empty: String
        /// The chosen proposal; `nil` for the list alone.
        var proposal: ProposalView?
        /// True on the page of one proposal, which a phone shows without the list.
        var isOne: Bool
    }

    private func list(_ page: DeskRequest) async throws -> Response {
        let state = page.query("state").flatMap(Proposal.State.init(rawValue:)) ?? .open
        let shown = try await proposals(in: state)
        return try await self.page(page, state, shown, chosen: shown.first, isOne: false)
    }

    private func show(_ page: DeskRequest) async throws -> Response {
        let proposal = try await app.review.neededProposal(try page.number("number"))
        let shown = try await proposals(in: proposal.state)
        return try await self.page(
            page, proposal.state, shown, chosen: proposal, isOne: true)
    }

    private func proposals(in state: Proposal.State) async throws -> [Proposal] {
        let all = try await app.review.proposals(in: [state], limit: ServiceLimits.proposalsMax)
        return state.isPending ? all.sorted { $0.precedes($1) } : all
    }

    private func page(
        _ page: DeskRequest, _ state: Proposal.State, _ shown: [Proposal], chosen: Proposal?,
        isOne: Bool, problem: String? = nil,
        status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        let content = try await app.content.snapshot()
        var view: ProposalView?
        if let chosen {
            view = try await detail(chosen, content, page)
            view?.problem = problem
        }
        let values = View(
            filters: Proposal.State.allCases.map {
                .init(
                    href: "\(DeskSection.proposals.path)?state=\($0.rawValue)", title: $0.title,
                    isCurrent: $0 == state)
            },
            rows: shown.prefix(ProposalRow.countMax).map {
                ProposalRow(
                    $0, content.bank($0.bank)?.question($0.question)?.question,
                    isCurrent: $0.number == chosen?.number)
            },
            hasRows: !shown.isEmpty,
            empty: state == .open
                ? "No key is in doubt." : "There is no proposal of this state.",
            proposal: view, isOne: isOne)
        return try app.render(
            "desk_proposals", title: "Proposals", in: .proposals, values, for: page,
            badges: state == .open ? [.proposals: shown.count] : [:], status: status)
    }

    private func detail(
        _ proposal: Proposal, _ content: ContentSnapshot, _ page: DeskRequest
    ) async throws -> ProposalView {
        let reports = try await app.review.reports(
            bank: proposal.bank, question: proposal.question, limit: 20
        ).filter { $0.version == proposal.version }
        let place = app.workplace
        let state = try await app.gate.run { ProposalContent(proposal, content, place) }
        return ProposalView(
            proposal, reports, state, user: try page.signedIn(), now: page.now,
            needsApproval: app.options.needsApproval)
    }

    // MARK: Decisions

    private func confirm(_ page: DeskRequest) async throws -> Response {
        let (user, number) = (try page.signedIn(), try page.number("number"))
        let publishes = page.form["then"] == "publish"
        if publishes {
            guard user.roles.contains(.publisher), !app.options.needsApproval else {
                throw DeskProblem(
                    status: .forbidden,
                    text:
                        "Your account may correct keys, and somebody else publishes. Nothing was changed."
                )
            }
        }
        let confirmation = KeyConfirmation(
            number, key: page.form["key"], shown: page.form["shown"] ?? "",
            ships: publishes ? .alone : nil)
        try await page.run(confirmation)
        return .redirect(to: "\(DeskSection.proposals.path)/\(number)")
    }

    private func dismiss(_ page: DeskRequest) async throws -> Response {
        let number = try page.number("number")
        do {
            try await page.run(KeyDismissal(number, reason: page.form["reason"] ?? ""))
        } catch let error as ReviewError where error.code == .reason {
            let proposal = try await app.review.neededProposal(number)
            return try await self.page(
                page, proposal.state, try await proposals(in: proposal.state), chosen: proposal,
                isOne: true, problem: error.message, status: .unprocessableContent)
        }
        return .redirect(to: DeskSection.proposals.path)
    }
}

extension Proposal.State {
    /// The state as a filter names it.
    var title: String {
        switch self {
        case .open: "Open"
        case .confirmed: "Confirmed, not shipped"
        case .shipped: "Shipped"
        case .dismissed: "Dismissed"
        }
    }
}
