import ContentModel
import TestSupport
import Testing

@testable import ContentDatabase

/// Readers that follow an exam through a random history, in pages of random size, have in the end
/// exactly what is published.
@Suite struct ReaderHistoryTests {
    /// A client that stores what it reads.
    private struct Reader {
        var questions: [String: String] = [:]
        var cursor: String?
        var limit: Int
        /// True for a client that passes the time of the exam's last change in place of the cursor.
        var goesByTime = false
        /// The questions that a full reading has not named yet.
        private var unseen: Set<String> = []
        private var isReadingAll = false

        init(limit: Int, goesByTime: Bool = false) {
            self.limit = limit
            self.goesByTime = goesByTime
        }

        /// Reads a page; returns true when more follow.
        mutating func read(_ fixture: TablesFixture, _ exam: ExamKey) async throws -> Bool {
            let request = try ChangesRequest(exam: exam, since: cursor, limit: "\(limit)")
            // An exam that is withdrawn may return, and then its changes go on.
            guard let page = try await fixture.tables.changes(request) else { return false }
            if page.isFromStart {
                isReadingAll = true
                unseen = Set(questions.keys)
            }
            for json in page.questions {
                let node = try JSONParser.parse(Array(json.utf8))
                guard case .string(let id)? = node.member("id")?.value.content,
                    case .string(let stem)? = node.member("stem")?.value.content
                else { continue }
                questions[id] = stem
                unseen.remove(id)
            }
            for id in page.removed { questions[id] = nil }
            cursor = goesByTime && !page.hasMore ? page.updatedAt.text : page.next.description
            if isReadingAll, !page.hasMore {
                for id in unseen { questions[id] = nil }
                isReadingAll = false
            }
            return page.hasMore
        }
    }

    @Test(arguments: [UInt64(1), 2, 3, 4, 5, 6])
    func everyReaderEndsWithWhatIsPublished(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let fixture = try await TablesFixture()
        let exam = try #require(ExamKey("de/a"))
        var readers = [1, 2, 5, 500].map { Reader(limit: $0) }
        readers += [3, 500].map { Reader(limit: $0, goesByTime: true) }
        var stems: [String: String] = [:]
        for release in 1...40 {
            for _ in 0..<Int.random(in: 0...6, using: &random) {
                let id = "q\(Int.random(in: 0..<12, using: &random))"
                stems[id] = Bool.random(using: &random) ? "\(release)" : nil
            }
            // Times stand still, jump and go back, as authors' clocks do; exams are withdrawn.
            let isThere = Int.random(in: 0..<8, using: &random) > 0
            var bank = BankFixture.bank("de/a", [:])
            bank.questions = stems.sorted { $0.key < $1.key }.map {
                BankFixture.question($0.key, stem: $0.value)
            }
            let second = Bool.random(using: &random) ? Int.random(in: 10...20, using: &random) : nil
            try fixture.publish(release, isThere ? [bank] : [], updatedAt: second)
            try await fixture.fill(now: Int64.random(in: 5...25, using: &random))
            // Some readers read one page of it, some all, some nothing.
            for index in readers.indices where Bool.random(using: &random) {
                let isPatient = Bool.random(using: &random)
                while try await readers[index].read(fixture, exam), isPatient {}
            }
        }
        var bank = BankFixture.bank("de/a", [:])
        bank.questions = stems.map { BankFixture.question($0.key, stem: $0.value) }
        try fixture.publish(41, [bank])
        try await fixture.fill()
        for index in readers.indices {
            while try await readers[index].read(fixture, exam) {}
            #expect(
                readers[index].questions == stems,
                "seed \(seed), pages of \(readers[index].limit)")
        }
    }
}
