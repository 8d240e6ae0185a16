import Accounts
import ContentModel
import Foundation
import Publishing

/// The page before a publish: what people will see change, key changes first.
struct PublishView {
    /// A changed field of a question.
    struct Field {
        var name: String
        var runs: [TextRun]
    }

    /// A changed question, file or setting.
    struct Change {
        var id: String
        var bank: String
        var tag: String
        var tone: String
        var fields: [Field]
        var href: String?
        /// The rank: key changes come first.
        var rank: Int
    }

    struct Approval {
        var text: String
    }

    /// A key that changes while answers given before keep their grade.
    struct KeyNote {
        var bank: String
        var question: String
    }

    var heading: String
    var lead: String
    var changes: [Change]
    var hasChanges: Bool
    var more: String?
    var checked: String
    /// Keys that change without a correction; an author may have old answers scored again.
    var uncorrected: [KeyNote]
    var canRegrade: Bool
    var warnings: [String]
    var hasWarnings: Bool
    var size: String
    var devices: Int
    var shown: String
    var removedWord = "removed"
    var addedWord = "added"
    var canPublish: Bool
    var canApprove: Bool
    var isApproved: Approval?
    /// Why the button is not there.
    var hindrance: String?
    var button: String
    var wayBack: String?
    var problem: String?

    /// The most changes that are listed.
    static let changesMax = 200
    /// The most warnings that are listed.
    private static let warningsMax = 20

    init(
        _ preview: PublishPreview, last: Publication?, devices: Int, user: DeskUser,
        approvals: [Approvals.Approval], needsApproval: Bool, now: Int64
    ) {
        let (summary, next) = (preview.summary, preview.summary.release + 1)
        let all = Self.changes(preview.difference)
        let isDue = summary.isNew
        heading = isDue ? "Publish release \(next)" : "Nothing to publish"
        let since =
            summary.release == 0
            ? "Nothing was published yet."
            : "since release \(summary.release)"
                + (last.map {
                    " of \(DeskTime.day(Date(timeIntervalSince1970: Double($0.seconds))))"
                }
                    ?? "") + "."
        lead =
            summary.release == 0
            ? since
            : all.isEmpty
                ? "No change \(since)"
                : "\(all.count) change\(all.count == 1 ? "" : "s") in \(preview.difference.files.count) file\(preview.difference.files.count == 1 ? "" : "s") \(since)"
        if let rollout = summary.rollout {
            lead +=
                " \(rollout.sentence(of: summary.release)) What you publish goes to the same devices."
        }
        changes = Array(all.prefix(Self.changesMax))
        hasChanges = !changes.isEmpty
        more = all.count > changes.count ? "And \(all.count - changes.count) more." : nil
        checked = "No errors in \(summary.blueprints) question banks"
        uncorrected = summary.uncorrected.prefix(20).map {
            KeyNote(bank: $0.bank, question: $0.question)
        }
        canRegrade = user.roles.contains(.author)
        // What grades by a wrong key comes first, and nothing is left out without a word.
        let sorted =
            summary.warnings.filter { $0.rule == .staleCorrection }
            + summary.warnings.filter { $0.rule != .staleCorrection }
        warnings = sorted.prefix(Self.warningsMax).map {
            "\($0.file):\($0.position.line): \($0.message)"
        }
        if sorted.count > warnings.count {
            warnings.append("And \(sorted.count - warnings.count) more warnings.")
        }
        hasWarnings = !warnings.isEmpty
        size = AssetRow.size(preview.bytes)
        self.devices = devices
        shown = preview.fingerprint.description
        let (others, isOwn) = (approvals.others(than: user.id), approvals.areBy(user.id))
        isApproved = (others ?? approvals.first).map {
            Approval(text: "\($0.name) approved \(DeskTime($0.at, now: now).words)")
        }
        let mayPublish = user.roles.contains(.publisher)
        canApprove = needsApproval && isDue && !isOwn
        canPublish = isDue && mayPublish && (!needsApproval || others != nil)
        hindrance =
            !isDue || canPublish
            ? nil
            : !mayPublish
                ? "Your account does not publish: a publisher does."
                : isOwn
                    ? "You approved these changes: somebody else publishes them, or approves them as well."
                    : "A second person approves before a publish. You can be that person for somebody else."
        button = "Publish release \(next)"
        wayBack =
            summary.release > 0
            ? "You can go back to release \(summary.release) at any time; phones then get the old content under a new number."
            : nil
    }

    // MARK: Changes

    /// Returns the changes of a difference: those of keys first.
    static func changes(_ difference: ReleaseDiff) -> [Change] {
        difference.files.flatMap { changes($0) }.sorted {
            ($0.rank, $0.bank, $0.id) < ($1.rank, $1.bank, $1.id)
        }
    }

    private static func changes(_ file: ReleaseDiff.FileChange) -> [Change] {
        let bank = ReleasePath(file.path)?.bank
        let grades = grades(file, bank ?? file.path)
        let whole = Change(
            id: file.path, bank: bank ?? "", tag: tag(file.kind), tone: tone(file.kind),
            fields: [], href: nil, rank: 3)
        // A bank that comes is named with its questions, which whoever approves has not seen.
        let head = file.kind == .changed ? grades : grades + [whole]
        guard !file.questions.isEmpty else { return head.isEmpty ? [whole] : head }
        return head
            + file.questions.map { question in
                let isKey = question.fields.contains { $0.name == "key" }
                let name = question.id.isEmpty ? "settings" : question.id
                let href = bank.flatMap { bank in
                    question.kind == .removed || question.id.isEmpty
                        ? nil : QuestionEditView.path(bank, question.id)
                }
                return Change(
                    id: name, bank: bank ?? file.path,
                    tag: isKey
                        ? "Right answer"
                        : question.kind == .changed ? self.tag(of: question) : tag(question.kind),
                    tone: isKey ? "wrong" : question.kind == .changed ? "new" : tone(question.kind),
                    fields: fields(question.fields),
                    href: href, rank: isKey ? 0 : question.id.isEmpty ? 2 : 1)
            }
    }

    /// Returns the answers that are graded again, and those that get their former grade back.
    private static func grades(_ file: ReleaseDiff.FileChange, _ bank: String) -> [Change] {
        func change(
            _ correction: ReleaseDiff.Correction, _ tag: String, _ old: String, _ new: String
        ) -> Change {
            let count = correction.versions
            return Change(
                id: correction.question, bank: bank, tag: tag, tone: "care",
                fields: [
                    Field(
                        name: "Answers to \(count == 1 ? "1 version" : "\(count) versions")",
                        runs: exchange(old, new))
                ], href: nil, rank: 0)
        }
        return file.corrections.map { change($0, "Scored again", $0.was, $0.is) }
            + file.withdrawn.map { change($0, "Old scores come back", $0.is, $0.was) }
    }

    /// Returns changed fields with their differences word by word.
    static func fields(_ changes: [ReleaseDiff.FieldChange]) -> [Field] {
        changes.map { change in
            // Of a key the whole text is another: "9.81" and "9.5" have no word in common.
            Field(
                name: name(of: change.name),
                runs: change.name == "key"
                    ? exchange(change.old, change.new) : difference(change.old, change.new))
        }
    }

    private static func exchange(_ old: String, _ new: String) -> [TextRun] {
        [
            TextRun(words: old, isRemoved: true), TextRun(words: " "),
            TextRun(words: new, isAdded: true),
        ]
    }

    private static func difference(_ old: String, _ new: String) -> [TextRun] {
        let (old, new) = (old == "—" ? "" : old, new == "—" ? "" : new)
        return WordDifference(from: old, to: new).runs.map {
            TextRun(words: $0.text, isRemoved: $0.kind == .removed, isAdded: $0.kind == .added)
        }
    }

    private static func tag(of question: ReleaseDiff.QuestionChange) -> String {
        let names = Set(question.fields.map(\.name))
        if question.id.isEmpty { return "Settings" }
        if names == ["retired"] { return "Retired" }
        if names == ["difficulty"] { return "Level" }
        if names == ["image"] { return "Picture" }
        return "Wording"
    }

    private static func name(of field: String) -> String {
        switch field {
        case "key": "Right answer"
        case "stem": "Question"
        case "difficulty": "Level"
        case "options": "Options"
        case "explanation": "Explanation"
        case "retired": "Retired"
        case "corrections": "Graded again"
        default: field.prefix(1).uppercased() + field.dropFirst()
        }
    }

    private static func tag(_ kind: ReleaseDiff.Kind) -> String {
        switch kind {
        case .added: "New"
        case .removed: "Removed"
        case .changed: "Changed"
        }
    }

    private static func tone(_ kind: ReleaseDiff.Kind) -> String {
        switch kind {
        case .added: "right"
        case .removed: "care"
        case .changed: "new"
        }
    }
}
