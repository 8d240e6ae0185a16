import Accounts
import ContentModel
import ContentServer
import HTTPTypes
import Hummingbird
import PageRendering
import Publishing
import Review
import ServiceAPI

/// The list of questions, what several of them become at once, and those that ask the same.
struct QuestionPages {
    let app: DeskApp

    private static let readers = DeskAccess.roles([.author, .publisher])

    var routes: [DeskRoute] {
        [
            .get("/questions", Self.readers, list),
            .post("/questions/change", .roles([.author]), change),
            .get("/questions/duplicates", Self.readers, duplicates),
        ] + NewQuestionPages(app: app).routes + QuestionEditPages(app: app).routes
            + QuestionHistoryPages(app: app).routes + MediaPages(app: app).routes
    }

    private func list(_ page: DeskRequest) async throws -> Response {
        let filter = QuestionFilter(page.query)
        let snapshot = try await app.content.snapshot()
        let proposals = try await app.review.proposals(
            in: [.open], limit: ServiceLimits.proposalsMax)
        let names = Set(
            proposals.filter(\.doubtsKey).map { QuestionName(bank: $0.bank, id: $0.question) })
        let found = FoundQuestions(filter, in: snapshot, doubted: names)
        let view = QuestionListView(
            filter, found, snapshot, app.shares,
            canEdit: try page.signedIn().roles.contains(.author))
        return try app.render(
            "desk_questions", title: "Questions", in: .questions, view, for: page)
    }

    private func change(_ page: DeskRequest) async throws -> Response {
        let user = try page.signedIn()
        let filter = QuestionFilter(FormFields(page.form["back"] ?? "").nonEmpty)
        let names = page.form.all("q").compactMap { key -> QuestionName? in
            let parts = key.split(separator: " ", maxSplits: 1)
            guard parts.count == 2 else { return nil }
            return QuestionName(bank: String(parts[0]), id: String(parts[1]))
        }
        let change = try QuestionChange(page.form)
        guard !names.isEmpty else {
            throw DeskProblem(
                status: .unprocessableContent,
                text: "Choose the questions first. Nothing was changed.")
        }
        let saving = QuestionSaving(folder: app.options.content, author: user.name)
        let result = try await app.gate.run { try change.save(names, saving) }
        app.toasts.show(result, to: user)
        return .redirect(to: filter.path)
    }

    private func duplicates(_ page: DeskRequest) async throws -> Response {
        let snapshot = try await app.content.snapshot()
        let view = DuplicatesView(snapshot, bank: page.query("bank"))
        return try app.render(
            "desk_question_duplicates", title: "Duplicates", in: .questions, view, for: page)
    }
}

extension FormFields {
    /// Returns a value; `nil` for an empty one.
    fileprivate func nonEmpty(_ name: String) -> String? {
        self[name].flatMap { $0.isEmpty ? nil : $0 }
    }
}

/// The questions whose texts are equal apart from case and spaces.
struct DuplicatesView {
    struct Group {
        var runs: [TextRun]
        var items: [Item]
    }

    struct Item {
        var href: String
        var id: String
        var bank: String
        var key: String
        var isRetired: Bool
    }

    /// The most groups that are shown.
    private static let groupsMax = 100

    var groups: [Group]
    var hasGroups: Bool
    var summary: String
    var back = DeskSection.questions.path

    init(_ snapshot: ContentSnapshot, bank: String?) {
        var alike: [String: [(bank: IndexedBank, question: BankQuestion)]] = [:]
        for one in snapshot.banks where bank == nil || one.name == bank {
            for question in one.content.questions {
                let stem = question.value["stem"]?.shownText.normalizedForComparison ?? ""
                let code = question.value["code"]?["text"]?.shownText ?? ""
                guard !stem.isEmpty else { continue }
                alike[stem + "\u{0}" + code, default: []].append((one, question))
            }
        }
        let found = alike.values.filter { $0.count > 1 }.sorted {
            ($0[0].bank.name, $0[0].question.id) < ($1[0].bank.name, $1[0].question.id)
        }
        groups = found.prefix(Self.groupsMax).map { group in
            Group(
                runs: TextRun.line(
                    of: group[0].question.value["stem"]?.shownText ?? "",
                    in: group[0].question.question?.textForm ?? .plain,
                    countMax: QuestionListView.stemMax),
                items: group.prefix(20).map { one in
                    Item(
                        href: QuestionEditView.path(one.bank.name, one.question.id),
                        id: one.question.id, bank: one.bank.title,
                        key: one.question.question?.shownKey ?? "the question has errors",
                        isRetired: one.question.value["retired"] == true)
                })
        }
        hasGroups = !groups.isEmpty
        summary =
            found.isEmpty
            ? "No two questions have the same text."
            : found.count == 1
                ? "One text is asked more than once."
                : "\(found.count) texts are asked more than once."
    }
}
