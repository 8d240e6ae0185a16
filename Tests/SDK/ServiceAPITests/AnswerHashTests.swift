import Foundation
import ServiceAPI
import TestSupport
import Testing
import UserData

/// Hashes, digests and names of branches against vectors that another program made.
@Suite struct AnswerHashTests {
    private struct Vectors: Decodable {
        struct Row: Decodable {
            struct Content: Decodable {
                var bank, session, mode, question, version: String
                var domain: String?
                var options: [String]
                var correct, random: Bool
                var rating: Int
                var credit: Double
                var taken, exposures, date: Int64
            }
            var name: String
            var number: UInt64
            var row: Content?
            var hash, content: String
        }

        struct Digest: Decodable {
            var rows: Int
            var digest: String
        }

        struct Branch: Decodable {
            var name, kind, content, branch: String
            var first: UInt64
        }

        var rows: [Row]
        var digests: [Digest]
        var branches: [Branch]
    }

    private static func vectors() throws -> Vectors {
        try JSONDecoder().decode(
            Vectors.self, from: Data(contentsOf: fixture("Accounts/accounts.json")))
    }

    private static func row(_ content: Vectors.Row.Content) -> AnswerRow {
        AnswerRow(
            bank: content.bank, session: content.session, question: content.question,
            domain: content.domain, version: content.version, options: content.options,
            isCorrect: content.correct, credit: content.credit,
            rating: content.rating == 0 ? nil : content.rating,
            takenMilliseconds: content.taken, exposuresBefore: content.exposures,
            mode: content.mode, isRandomlySelected: content.random, milliseconds: content.date)
    }

    @Test func rowsHaveTheHashesOfTheVectors() throws {
        let rows = try Self.vectors().rows
        #expect(rows.count == 5)
        let encoded = EncodedAnswers(rows.map { $0.row.map(Self.row) })
        let name = try #require(rows.first?.name)
        #expect(
            encoded.hashes(of: ClientID(name), first: 1).map { String($0, radix: 16) }
                == rows.map(\.hash))
        #expect(encoded.contentHashes.map { String($0, radix: 16) } == rows.map(\.content))
    }

    @Test func digestsAreThoseOfTheVectors() throws {
        let vectors = try Self.vectors()
        let encoded = EncodedAnswers(vectors.rows.map { $0.row.map(Self.row) })
        let hashes = encoded.hashes(of: ClientID(vectors.rows[0].name), first: 1)
        for expected in vectors.digests {
            let digest = SetDigest(hashes.prefix(expected.rows))
            #expect(digest.text == expected.digest)
            #expect(SetDigest(text: expected.digest) == digest)
            var rest = SetDigest(hashes)
            rest.remove(SetDigest(hashes.dropFirst(expected.rows)))
            #expect(rest == digest, "\(expected.rows) rows")
        }
    }

    /// A number's hash is over bits, and two bit patterns are the number 0.
    @Test func creditsThatAreEqualHaveOneHash() {
        let credits = [0.0, -0.0, 0.5].map { credit in
            AnswerRow(
                bank: "b", session: "s", question: "q", isCorrect: false, credit: credit,
                takenMilliseconds: 1, exposuresBefore: 0, mode: "study", milliseconds: 1)
        }
        let hashes = EncodedAnswers(credits).contentHashes
        #expect(hashes[0] == hashes[1] && hashes[1] != hashes[2])
    }

    @Test func branchesAreNamedByTheirContent() throws {
        let branches = try Self.vectors().branches
        #expect(branches.count == 3)
        for branch in branches {
            let content = try #require(UInt64(branch.content, radix: 16))
            let name =
                branch.kind == "a"
                ? BranchName.ofAnswers(
                    of: ClientID(branch.name), first: branch.first, contentHash: content)
                : BranchName.ofOperations(
                    of: ClientID(branch.name), first: branch.first, hash: branch.content)
            #expect(name.text == branch.branch)
            #expect(BranchName.isBranch(name.text))
        }
        let digits = "31dc58eb48d238cbf0ca850286ceec46"
        for name in ["b", "bank", "d" + digits, "b" + digits.uppercased(), "b" + digits + "0"] {
            #expect(!BranchName.isBranch(name))
        }
    }

    /// What the author saw may be put in other words after a reply.
    @Test func aBranchOfStepsFollowsFromWhatNeverChanges() {
        var step = ChangeOperation(
            id: OperationID(client: ClientID("d"), counter: 7), key: RecordKey("points", "p"),
            change: .count(field: "n", CounterTotals(added: 3)), seenRevision: 0,
            time: HybridTime(milliseconds: 1))
        step.from = CounterTotals(added: 2)
        let name = BranchName.ofOperations(from: step)
        step.seenRevision = 9
        step.follows = OperationID(client: ClientID("x"), counter: 1)
        step.seenWrites = [ClientID("x"): 1]
        #expect(BranchName.ofOperations(from: step) == name)
        step.from = nil
        #expect(BranchName.ofOperations(from: step) == name)
        step.change = .count(field: "n", CounterTotals(added: 4))
        #expect(BranchName.ofOperations(from: step) != name)
    }

    @Test func aRestThatFollowsOnBothSidesKeepsItsName() {
        let known = AnswerVector([ClientID("d"): 4])
        func name(_ first: UInt64) -> ClientID {
            BranchName.ofRest(of: ClientID("d"), first: first, contentHash: 1, after: known)
        }
        #expect(name(5) == ClientID("d"))
        for first in [UInt64(4), 6] { #expect(BranchName.isBranch(name(first).text)) }
    }
}
