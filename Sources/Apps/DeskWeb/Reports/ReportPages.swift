import Accounts
import ContentModel
import Foundation
import HTTPTypes
import Hummingbird
import Publishing
import Review
import UserData

/// The page of learners' reports, the newest first.
struct ReportPages {
    let app: DeskApp

    /// The most reports on a page.
    private static let listedMax = 200

    var routes: [DeskRoute] { [.get("/reports", .roles([.author, .publisher]), list)] }

    /// The newest reports that are looked at.
    private static let readMax = 5_000

    private struct View {
        struct Row {
            var runs: [TextRun]
            var id: String
            var href: String
            var reason: String
            var text: String?
            var time: DeskTime
        }

        struct Bank {
            var value: String
            var isChosen: Bool
        }

        var rows: [Row]
        var hasRows: Bool
        var banks: [Bank]
        var hasBanks: Bool
        var lead: String
    }

    private func list(_ page: DeskRequest) async throws -> Response {
        let bank = page.query("bank")
        let content = try await app.content.snapshot()
        // Accounts can report what no bank has; that is nobody's work here.
        let reports = try await app.review.reports(
            bank: bank, question: nil, limit: Self.readMax
        ).filter { content.bank($0.bank)?.question($0.question) != nil }.prefix(Self.listedMax)
        let counts = try await app.review.reportCounts().filter { content.bank($0.bank) != nil }
        let rows = reports.map { report in
            let question = content.bank(report.bank)?.question(report.question)?.question
            return View.Row(
                runs: question.map {
                    TextRun.line(of: $0.stem, in: $0.textForm, countMax: 120)
                } ?? [],
                id: "\(report.question) · \(report.bank)",
                href: QuestionEditView.path(report.bank, report.question),
                reason: QuestionReport.Reason.words(report.reason),
                text: report.text.isEmpty ? nil : report.text,
                time: DeskTime(report.at, now: page.now))
        }
        let banks = Set(counts.map(\.bank)).sorted()
        let view = View(
            rows: rows, hasRows: !rows.isEmpty,
            banks: banks.map { .init(value: $0, isChosen: $0 == bank) }, hasBanks: banks.count > 1,
            lead: rows.isEmpty
                ? "No learner has reported anything\(bank == nil ? "" : " in this bank")."
                : "Each learner has one report for a question. Reports raise its rank among the proposals."
        )
        return try app.render("desk_reports", title: "Reports", in: .reports, view, for: page)
    }
}
