import Accounts
import ContentModel
import ContentServer
import Foundation
import Hummingbird
import Publishing
import Workflows

/// The pages of a question's earlier states in the releases and commits, each of which can be restored to the form.
struct QuestionHistoryPages {
    let app: DeskApp

    /// The most states of each kind that are listed.
    private static let statesMax = 20

    var routes: [DeskRoute] {
        [.get("/questions/:bank/:id/history", .roles([.author, .publisher]), show)]
    }

    private func show(_ page: DeskRequest) async throws -> Response {
        let place = try await QuestionPlace(page)
        let (options, workplace) = (app.options, app.workplace)
        let source = try await app.gate.run {
            let history = QuestionHistory(
                of: place.question.id, in: place.bank.name, releaseDirectory: options.release)
            return QuestionHistoryView.Source(
                place: place,
                history: history,
                publications: try workplace.publications(),
                oldAnswersKeepTheirGrade: RegradeChange(
                    place.question.id, of: place.bank.name
                ).isDue(in: workplace, history),
                commits: ContentRepository(of: options.content)?.changes(
                    of: place.lines, in: place.question.file, limit: Self.statesMax))
        }
        let view = QuestionHistoryView(
            source, statesMax: Self.statesMax,
            canEdit: try page.signedIn().roles.contains(.author), now: page.now)
        return try app.render(
            "desk_question_history", title: "History of \(place.question.id)", in: .questions, view,
            for: page)
    }
}

/// The page of a question's history.
struct QuestionHistoryView {
    /// The data of the page.
    struct Source: Sendable {
        var place: QuestionPlace
        var history: QuestionHistory
        /// All releases with who made them, the newest last.
        var publications: [Publication]
        /// True when the key was another in a kept release, and no correction says that it was wrong.
        var oldAnswersKeepTheirGrade: Bool
        /// The commits, the newest first; `nil` for a folder in no repository.
        var commits: [ContentRepository.Change]?
    }

    /// A state of the question.
    struct Entry {
        var title: String
        var time: DeskTime?
        var author: String?
        /// The fields that changed with it.
        var fields: [PublishView.Field] = []
        var note: String?
        /// The address that fills the form with it; `nil` for the present state.
        var back: String?
    }

    var back: String
    var id: String
    var bank: String
    /// True for an author who may have old answers scored again.
    var canRegrade: Bool
    var states: [Entry]
    var hasStates: Bool
    var more: String?
    var commits: [Entry]
    var hasCommits: Bool
    /// The text in place of commits.
    var noCommits: String
    var removedWord = "removed"
    var addedWord = "added"

    init(_ source: Source, statesMax: Int, canEdit: Bool, now: Int64) {
        let place = source.place
        back = place.path
        id = place.question.id
        bank = place.bank.name
        canRegrade = canEdit && source.oldAnswersKeepTheirGrade
        func href(_ origin: QuestionOrigin) -> String? {
            canEdit ? "\(place.path)?from=\(origin.text)" : nil
        }
        let times = Dictionary(
            source.publications.map { ($0.release, $0) }, uniquingKeysWith: { $1 })
        let all = source.history.states
        let listed = all.prefix(statesMax)
        let present = place.question.question
        states = listed.enumerated().map { index, state in
            let first = times[state.releases.lowerBound]
            let before = all.indices.contains(index + 1) ? all[index + 1].question : nil
            return Entry(
                title: Self.title(state.releases),
                time: first.map { DeskTime(Int64($0.seconds) * 1000, now: now) },
                author: first.flatMap { $0.author.isEmpty ? nil : $0.author },
                fields: before.map { PublishView.fields(state.question.changes(from: $0)) } ?? [],
                note: before == nil ? "The oldest state that is kept." : nil,
                back: state.question == present
                    ? nil : href(.release(state.releases.upperBound)))
        }
        if let newest = all.first, newest.question != present {
            states.insert(
                Entry(
                    title: "Not published yet",
                    fields: present.map { PublishView.fields($0.changes(from: newest.question)) }
                        ?? [],
                    note: present == nil
                        ? "The question in the content folder has errors." : nil), at: 0)
        }
        hasStates = !states.isEmpty
        more =
            source.history.unread.map {
                "Release \($0) cannot be read, so what was before it is not known."
            } ?? (all.count > statesMax ? "Older states are not listed." : nil)
        commits = (source.commits ?? []).enumerated().map { index, change in
            Entry(
                title: change.subject, time: DeskTime(change.seconds * 1000, now: now),
                author: change.author, note: nil,
                back: index == 0
                    ? nil
                    : ContentRepository.CommitName(change.commit).flatMap { href(.commit($0)) })
        }
        hasCommits = !commits.isEmpty
        noCommits =
            source.commits == nil
            ? "The content folder is in no git repository."
            : "No commit is known of these lines, or the file has changes that are not committed."
    }

    private static func title(_ releases: ClosedRange<Int>) -> String {
        releases.count == 1
            ? "Release \(releases.lowerBound)"
            : "Releases \(releases.lowerBound) to \(releases.upperBound)"
    }
}
