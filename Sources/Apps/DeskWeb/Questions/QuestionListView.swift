import ContentModel
import PageRendering
import Publishing
import Review

/// The list of questions.
struct QuestionListView {
    struct Row {
        var href: String
        /// The question's name in the form for several.
        var key: String
        var id: String
        /// The bank; `nil` where the list shows one bank.
        var bank: String?
        var runs: [TextRun]
        var type: String
        var domain: String
        var level: String
        /// The question's facility; `nil` for too few answers.
        var right: Right?
        var tags: [Tag]
    }

    /// The share of right first answers.
    struct Right {
        var words: String
        var percent: Int
        var answers: String

        /// The answers under which a share says nothing.
        private static let answersMin = 20

        init?(_ share: ItemFacilities.Share?) {
            guard let share, share.answers >= Self.answersMin else { return nil }
            percent = Int((100 * Double(share.right) / Double(share.answers)).rounded())
            words = "\(percent) %"
            answers = "of \(share.answers) first answers"
        }
    }

    /// The attention that a question needs, in words and a matching colour.
    struct Tag {
        var title: String
        var tone: String
    }

    /// A filter with a few values.
    struct Select {
        var name: String
        var label: String
        var choices: [ChoiceView]
    }

    /// The banks of which a filter lists all; of more, one is named by its id.
    private static let banksMax = 200
    /// The domains that a filter lists.
    private static let domainsMax = 200
    /// The characters of a question that the list shows.
    static let stemMax = 160

    var action = DeskSection.questions.path
    var summary: String
    var search: String
    /// The id of the bank, where there are too many for a list.
    var bankText: String?
    var selects: [Select]
    var rows: [Row]
    var hasRows: Bool
    var empty: String
    var hasBanks: Bool
    var canEdit: Bool
    var newHref: String
    var duplicatesHref: String
    var shown: String
    var before: String?
    var after: String?
    var query: String
    var levels = [1, 2, 3, 4, 5]
    /// Enter in the field of a tag adds it.
    var enter = DefaultButton(name: "do", value: "tag")
    /// The problems of banks as a whole.
    var problems: [String]
    var isFiltered: Bool

    init(
        _ filter: QuestionFilter, _ found: FoundQuestions, _ snapshot: ContentSnapshot,
        _ shares: ItemFacilities, canEdit: Bool
    ) {
        let page = min(filter.page, found.pages)
        let slice = found.page(page)
        let bank = snapshot.bank(filter.bank)
        let only = snapshot.banks.count == 1 ? snapshot.banks.first : bank
        summary = Self.summary(found, only)
        search = filter.search
        let areBanksMany = snapshot.banks.count > Self.banksMax
        bankText = areBanksMany ? filter.bank : nil
        selects = Self.selects(filter, snapshot, bank, hasBanks: !areBanksMany)
        let titles = Dictionary(
            snapshot.banks.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        let known = Dictionary(
            Set(slice.map(\.bank)).map { ($0, shares.shares(of: $0)) },
            uniquingKeysWith: { first, _ in first })
        rows = slice.map {
            Self.row(
                $0, titles[$0.bank], known[$0.bank]?[$0.question.id], showsBank: only == nil)
        }
        hasRows = !rows.isEmpty
        hasBanks = !snapshot.banks.isEmpty
        isFiltered = !filter.at(page: 1).query.isEmpty
        empty =
            snapshot.banks.isEmpty
            ? "The content folder has no bank yet."
            : found.total == 0 ? "There are no questions yet." : "No question is like this."
        self.canEdit = canEdit
        let of = only.map { "?bank=\(QuestionFilter.encoded($0.name))" } ?? ""
        newHref = "\(action)/new\(of)"
        duplicatesHref = "\(action)/duplicates\(of)"
        shown =
            "\(slice.isEmpty ? 0 : slice.startIndex + 1) to \(slice.endIndex) of \(found.rows.count), what needs you first"
        before = page > 1 ? filter.at(page: page - 1).path : nil
        after = page < found.pages ? filter.at(page: page + 1).path : nil
        query = filter.query
        problems = Self.problems(only.map { [$0] } ?? snapshot.banks)
    }

    private static func summary(_ found: FoundQuestions, _ bank: IndexedBank?) -> String {
        var text = bank.map { $0.title + ", " } ?? ""
        text += found.total == 1 ? "1 question." : "\(found.total) questions."
        var parts: [String] = []
        if found.withProblems > 0 {
            parts.append(
                "\(found.withProblems) \(found.withProblems == 1 ? "has" : "have") problems")
        }
        if found.doubted > 0 {
            parts.append(
                found.doubted == 1 ? "1 key is doubted" : "\(found.doubted) keys are doubted")
        }
        return parts.isEmpty ? text : text + " " + parts.joined(separator: ", ") + "."
    }

    private static func selects(
        _ filter: QuestionFilter, _ snapshot: ContentSnapshot, _ bank: IndexedBank?, hasBanks: Bool
    ) -> [Select] {
        func select(
            _ name: String, _ label: String, _ all: String, _ chosen: String,
            _ values: [(value: String, title: String)]
        ) -> Select {
            var values = values
            // A value that is no longer there must not look like none.
            if !chosen.isEmpty, !values.contains(where: { $0.value == chosen }) {
                values.append((chosen, chosen))
            }
            let first = ChoiceView(value: "", title: all, isChosen: chosen.isEmpty)
            return Select(
                name: name, label: label,
                choices: [first]
                    + values.map {
                        ChoiceView(value: $0.value, title: $0.title, isChosen: $0.value == chosen)
                    })
        }
        var selects: [Select] = []
        if hasBanks {
            selects.append(
                select(
                    "bank", "Bank", "All banks", filter.bank,
                    snapshot.banks.map { ($0.name, $0.title) }))
        }
        var domains: [(value: String, title: String)] = []
        var known: Set<String> = []
        for one in bank.map({ [$0] }) ?? snapshot.banks where domains.count < domainsMax {
            for domain in one.content.head?.domains ?? [] where known.insert(domain.id).inserted {
                domains.append((domain.id, domain.title))
            }
        }
        selects += [
            select("domain", "Domain", "All domains", filter.domain, domains),
            select(
                "type", "Type", "All types", filter.type,
                QuestionType.allCases.map { ($0.rawValue, $0.title) }),
            select(
                "level", "Level", "All levels", filter.level.map(String.init) ?? "",
                (1...5).map { level in
                    let label = bank?.content.head?.levels[level].map { ", \($0)" } ?? ""
                    return (String(level), "\(level)\(label)")
                }),
            select(
                "state", "State", "All states", filter.state?.rawValue ?? "",
                QuestionFilter.State.allCases.map { ($0.rawValue, $0.title) }),
        ]
        return selects
    }

    private static func row(
        _ found: FoundQuestion, _ bank: IndexedBank?, _ share: ItemFacilities.Share?,
        showsBank: Bool
    ) -> Row {
        let question = found.question
        let domain = question.domain ?? ""
        return Row(
            href: QuestionEditView.path(found.bank, question.id),
            key: "\(found.bank) \(question.id)",
            id: question.id, bank: showsBank ? bank?.title ?? found.bank : nil,
            runs: TextRun.line(of: question.stem, in: question.textForm, countMax: stemMax),
            type: question.type?.title ?? "",
            domain: bank?.content.head?.domains.first { $0.id == domain }?.title ?? domain,
            level: question.level.map(String.init) ?? "", right: Right(share), tags: tags(found))
    }

    private static func tags(_ found: FoundQuestion) -> [Tag] {
        let question = found.question
        func count(_ number: Int, _ word: String) -> String {
            "\(number) \(word)\(number == 1 ? "" : "s")"
        }
        var tags: [Tag] = []
        if question.errors > 0 {
            tags.append(Tag(title: count(question.errors, "error"), tone: "wrong"))
        }
        if found.isDoubted { tags.append(Tag(title: "Key doubted", tone: "wrong")) }
        if question.warnings > 0 {
            tags.append(Tag(title: count(question.warnings, "warning"), tone: "care"))
        }
        switch question.change {
        case .new: tags.append(Tag(title: "New", tone: "new"))
        case .changed: tags.append(Tag(title: "Changed", tone: "new"))
        case nil: break
        }
        if question.isRetired { tags.append(Tag(title: "Retired", tone: "")) }
        return tags
    }

    private static func problems(_ banks: [IndexedBank]) -> [String] {
        banks.lazy.flatMap(\.content.problems).prefix(5).map { problem in
            "\(problem.file), line \(problem.position.line): \(problem.message). \(problem.hint)"
        }
    }
}
