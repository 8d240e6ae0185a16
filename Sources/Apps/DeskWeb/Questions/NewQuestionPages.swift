import Accounts
import ContentModel
import ContentServer
import Foundation
import HTTPTypes
import Hummingbird
import PageRendering
import Publishing

/// The page on which a question begins: its bank, its id, its type and its text.
///
/// The rest is written on its own page.
struct NewQuestionPages {
    let app: DeskApp

    var routes: [DeskRoute] {
        [
            .get("/questions/new", .roles([.author]), form),
            .post("/questions/new", .roles([.author]), create),
        ]
    }

    private struct View {
        var action = DeskSection.questions.path + "/new"
        var back: String
        var banks: [ChoiceView]
        var hasBanks: Bool
        var types: [ChoiceView]
        var id: String
        var stem: String
        var problem: String?
    }

    private func form(_ page: DeskRequest) async throws -> Response {
        let snapshot = try await app.content.snapshot()
        let bank = page.query("bank").flatMap { snapshot.bank($0) } ?? snapshot.banks.first
        return try self.page(
            page, snapshot, bank?.name ?? "", type: .singleChoice,
            id: bank.map(Self.proposedID) ?? "", stem: "")
    }

    private func page(
        _ page: DeskRequest, _ snapshot: ContentSnapshot, _ bank: String, type: QuestionType?,
        id: String, stem: String, problem: String? = nil
    ) throws -> Response {
        let view = View(
            back: DeskSection.questions.path,
            banks: snapshot.banks.map {
                ChoiceView(value: $0.name, title: $0.title, isChosen: $0.name == bank)
            },
            hasBanks: !snapshot.banks.isEmpty,
            types: QuestionType.allCases.map {
                ChoiceView(value: $0.rawValue, title: $0.title, isChosen: $0 == type)
            }, id: id, stem: stem, problem: problem)
        return try app.render(
            "desk_question_new", title: "New question", in: .questions, view, for: page,
            status: problem == nil ? .ok : .unprocessableContent)
    }

    private func create(_ page: DeskRequest) async throws -> Response {
        let (user, form) = (try page.signedIn(), page.form)
        let snapshot = try await app.content.snapshot()
        let (name, id) = (form["bank"] ?? "", (form["id"] ?? "").trimmed)
        let type = form["type"].flatMap(QuestionType.init(rawValue:))
        let stem = form["stem"]?.replacing("\r\n", with: "\n") ?? ""
        func again(_ problem: String) throws -> Response {
            try self.page(page, snapshot, name, type: type, id: id, stem: stem, problem: problem)
        }
        guard let bank = snapshot.bank(name) else { return try again("Choose a bank.") }
        guard let type else { return try again("Choose a type.") }
        guard Identifier.isValid(id) else {
            return try again("An id has 1 to 64 letters, digits, '-', '_' or '.'.")
        }
        guard bank.question(id) == nil else {
            return try again("The bank has a question \(id) already. Choose another id.")
        }
        let value = Self.value(id: id, type: type, stem: stem, in: bank)
        let saving = QuestionSaving(folder: app.options.content, author: user.name)
        do {
            let note = try await app.gate.run { () throws -> String? in
                let editor = try ContentEditor(folder: saving.folder)
                let change = try editor.appending(value, to: name)
                try editor.save(change)
                return saving.commit(change.file, "Add \(id) to \(name)")
            }
            app.toasts.show(
                note ?? "The question is in the content folder. Write the rest.", to: user)
        } catch let error as PublishingError {
            return try again(error.message)
        }
        return .redirect(to: QuestionEditView.path(name, id))
    }

    /// Returns a question with nothing but its beginning; the checker says what is left to write.
    private static func value(
        id: String, type: QuestionType, stem: String, in bank: IndexedBank
    ) -> JSONValue {
        var members: [String: JSONValue] = [
            "id": .string(id), "type": .string(type.rawValue), "difficulty": 1,
            "stem": .string(stem),
        ]
        if let domain = bank.content.head?.domains.first {
            members["domain"] = .string(domain.id)
        }
        if type == .numericEntry {
            members["number"] = .object([:])
        } else {
            members["options"] = .array(
                ["a", "b", "c", "d"].map { ["id": .string($0), "text": ""] })
            // Nobody chose a key yet, and the checker says so until somebody does.
            members["correct"] = []
        }
        if type.needsCode { members["code"] = ["language": "swift", "text": ""] }
        return .object(members)
    }

    /// Returns the id after the last one that ends in a number, as `swift-049` after `swift-048`.
    static func proposedID(_ bank: IndexedBank) -> String {
        let ids = bank.content.questions.map(\.id)
        let used = Set(ids)
        let numbered = ids.compactMap { id -> (head: Substring, number: Int, width: Int)? in
            guard let match = id.wholeMatch(of: /(.*?)(\d{1,9})/), let number = Int(match.2) else {
                return nil
            }
            return (match.1, number, match.2.count)
        }
        let last = numbered.max { $0.number < $1.number }
        let (head, width) = (last.map { String($0.head) } ?? "q", last?.width ?? 1)
        var number = (last?.number ?? 0) + 1
        while true {
            let digits = String(number)
            let zeros = String(repeating: "0", count: max(0, width - digits.count))
            let id = head + zeros + digits
            if !used.contains(id) { return id }
            number += 1
        }
    }
}
