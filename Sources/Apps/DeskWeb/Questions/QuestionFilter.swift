import ContentModel
import Foundation

/// The filter of the list: a search, five filters and a page of them.
struct QuestionFilter: Sendable, Hashable {
    /// The attention that a question needs, as a filter.
    enum State: String, CaseIterable, Sendable {
        case errors, warnings, changed, doubted, retired

        var title: String {
            switch self {
            case .errors: "Errors"
            case .warnings: "Warnings"
            case .changed: "Changed since the release"
            case .doubted: "Key doubted"
            case .retired: "Retired"
            }
        }
    }

    /// The questions on a page.
    static let pageSize = 100
    /// The most characters of a search.
    static let searchMax = 200

    var search = ""
    var bank = ""
    var domain = ""
    var type = ""
    var level: Int?
    var state: State?
    /// The page, from 1.
    var page = 1

    init() {}

    /// Reads a query; what cannot be read filters nothing.
    init(_ query: (String) -> String?) {
        search = String((query("q") ?? "").prefix(Self.searchMax))
        bank = query("bank") ?? ""
        domain = query("domain") ?? ""
        type = query("type") ?? ""
        level = query("level").flatMap { Int($0) }
        state = query("state").flatMap(State.init(rawValue:))
        page = max(1, min(query("page").flatMap { Int($0) } ?? 1, 100_000))
    }

    /// The query of this list, without `?`; empty for all questions.
    var query: String {
        let fields = [
            ("q", search), ("bank", bank), ("domain", domain), ("type", type),
            ("level", level.map(String.init) ?? ""), ("state", state?.rawValue ?? ""),
            ("page", page > 1 ? String(page) : ""),
        ]
        return fields.filter { !$0.1.isEmpty }.map { "\($0.0)=\(Self.encoded($0.1))" }
            .joined(separator: "&")
    }

    /// The address of this list.
    var path: String {
        DeskSection.questions.path + (query.isEmpty ? "" : "?" + query)
    }

    /// Returns the filter with another page.
    func at(page: Int) -> QuestionFilter {
        var filter = self
        filter.page = page
        return filter
    }

    /// Returns a text as a part of an address.
    static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: plainCharacters) ?? ""
    }

    /// The characters that mean nothing in an address (RFC 3986, section 2.3).
    private static let plainCharacters = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

    /// Returns whether a question is shown.
    func admits(_ row: FoundQuestion) -> Bool {
        let question = row.question
        if !domain.isEmpty, question.domain != domain { return false }
        if !type.isEmpty, question.type?.rawValue != type { return false }
        if let level, question.level != level { return false }
        switch state {
        case nil: break
        case .errors: if question.errors == 0 { return false }
        case .warnings: if question.warnings == 0 { return false }
        case .changed: if question.change == nil { return false }
        case .doubted: if !row.isDoubted { return false }
        case .retired: if !question.isRetired { return false }
        }
        return true
    }
}

/// A question of a list.
struct FoundQuestion: Sendable {
    var bank: String
    var question: IndexedQuestion
    var isDoubted: Bool

    /// The sort key: the most urgent question has the lowest number.
    var urgency: Int {
        if question.errors > 0 { return 0 }
        if isDoubted { return 1 }
        if question.warnings > 0 { return 2 }
        return question.change == nil ? 4 : 3
    }
}

/// A question of a bank, as proposals name it.
struct QuestionName: Hashable, Sendable {
    var bank: String
    var id: String
}

/// The questions that a filter shows, what needs an author first.
struct FoundQuestions: Sendable {
    /// All that the filter shows.
    let rows: [FoundQuestion]
    /// The number of questions in the chosen banks, before the other filters.
    let total: Int
    /// The number of these with errors or warnings.
    let withProblems: Int
    /// The number of these whose key is doubted.
    let doubted: Int

    init(_ filter: QuestionFilter, in snapshot: ContentSnapshot, doubted names: Set<QuestionName>) {
        let words = filter.search.normalizedForComparison.split(separator: " ").map(String.init)
        var rows: [FoundQuestion] = []
        var (total, withProblems, doubted) = (0, 0, 0)
        for bank in snapshot.banks where filter.bank.isEmpty || bank.name == filter.bank {
            for question in bank.questions {
                let row = FoundQuestion(
                    bank: bank.name, question: question,
                    isDoubted: names.contains(QuestionName(bank: bank.name, id: question.id)))
                total += 1
                if question.errors + question.warnings > 0 { withProblems += 1 }
                if row.isDoubted { doubted += 1 }
                guard filter.admits(row),
                    words.allSatisfy({ question.searched.utf8.hasPart($0.utf8) })
                else { continue }
                rows.append(row)
            }
        }
        self.total = total
        self.withProblems = withProblems
        self.doubted = doubted
        // Sorting is stable: equally urgent ones stay in the order of their files.
        self.rows = rows.sorted { $0.urgency < $1.urgency }
    }

    /// Returns the rows of a page.
    func page(_ page: Int) -> ArraySlice<FoundQuestion> {
        let start = min((page - 1) * QuestionFilter.pageSize, rows.count)
        return rows[start..<min(start + QuestionFilter.pageSize, rows.count)]
    }

    /// The number of pages, at least 1.
    var pages: Int {
        max(1, (rows.count + QuestionFilter.pageSize - 1) / QuestionFilter.pageSize)
    }
}

extension String.UTF8View {
    /// Returns whether some bytes stand in these, one after the other.
    fileprivate func hasPart(_ part: String.UTF8View) -> Bool {
        guard !part.isEmpty else { return true }
        let found = withContiguousStorageIfAvailable { bytes in
            part.withContiguousStorageIfAvailable { Self.find($0, in: bytes) } ?? nil
        }
        return (found ?? nil) ?? String(self).contains(String(part))
    }

    private static func find(
        _ part: UnsafeBufferPointer<UInt8>, in bytes: UnsafeBufferPointer<UInt8>
    ) -> Bool? {
        guard bytes.count >= part.count else { return false }
        for start in 0...(bytes.count - part.count) where bytes[start] == part[0] {
            if part.indices.allSatisfy({ bytes[start + $0] == part[$0] }) { return true }
        }
        return false
    }
}
