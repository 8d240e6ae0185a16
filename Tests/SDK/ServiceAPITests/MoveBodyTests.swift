import ContentModel
import Testing
import UserData

@testable import ServiceAPI

/// The bodies of a move of accounts, and the names that a move makes of content.
@Suite struct MoveBodyTests {
    @Test(arguments: [
        MoveBody.Reply.moving(done: 40_000, of: 1_000_000),
        .moved(answers: 1_000_000, records: 212, differences: 2),
    ])
    func aReplyComesBackAsItWent(reply: MoveBody.Reply) throws {
        #expect(try MoveBody.Reply(reply.json.canonicalBytes) == reply)
    }

    @Test func aRequestComesBackAsItWent() throws {
        let request = MoveBody.Request(from: "uAMIRS", proof: "r1.a.b")
        #expect(try MoveBody.Request(request.json.canonicalBytes) == request)
    }

    @Test(arguments: [
        #"{}"#, #"{"from": "u1"}"#, #"{"from": "", "proof": "p"}"#,
        #"{"from": "u 1", "proof": "p"}"#,
        #"{"from": "u1", "proof": ""}"#,
    ])
    func aMalformedRequestIsRefused(text: String) {
        #expect(throws: WireError.self) { try MoveBody.Request(Array(text.utf8)) }
    }

    @Test(arguments: [
        #"{"state": "moved"}"#, #"{"state": "gone"}"#, #"{"state": "moving", "done": 1}"#,
    ])
    func aMalformedReplyIsRefused(text: String) {
        #expect(throws: WireError.self) { try MoveBody.Reply(Array(text.utf8)) }
    }

    /// The published vectors of branches of branches and of operations.
    @Test func aBranchIsNamedByItsContent() {
        let device = ClientID("dAAAAAAAAAAAAAAAAAAAAAA")
        let branch = BranchName.ofAnswers(
            of: device, first: 3, contentHash: 0xe07f_7a9b_290f_0cbe)
        #expect(branch == ClientID("b31dc58eb48d238cbf0ca850286ceec46"))
        #expect(
            BranchName.ofAnswers(of: branch, first: 2, contentHash: 0x3e4a_f48b_a4b1_9c45)
                == ClientID("b21b2b6b68f328ff6f6d60d98253ee4f8"))
        #expect(
            BranchName.ofOperations(of: device, first: 1, hash: "1f")
                == ClientID("bdc78ea329f1203e1cbf332078bfa6d65"))
    }

    /// Also one whose JSON is longer than a text of a record may be, with characters of several bytes.
    @Test(arguments: [0, 7_000])
    func aDifferenceGivesTheVersionBack(padding: Int) throws {
        let writer = OperationID(client: ClientID("d1"), counter: 4)
        var version = UserRecord(
            key: RecordKey("notes", "n1"), revision: 7, operation: writer,
            time: HybridTime(milliseconds: 9))
        for name in ["text", "more"] {
            version.fields[name] = .init(
                value: .text(String(repeating: "é", count: padding)), time: version.time,
                revision: 7, writer: writer)
        }
        let difference = AccountDifference(.lost, version)
        var record = UserRecord(
            key: RecordKey(AccountDifference.collection, difference.id(movedFrom: "uA")),
            revision: 1, operation: writer, time: version.time)
        for (name, value) in difference.fields {
            #expect(Validity.isValue(value))
            record.fields[name] = .init(
                value: value, time: version.time, revision: 1, writer: writer)
        }
        #expect(AccountDifference(record) == difference)
        #expect(difference.id(movedFrom: "uA") != difference.id(movedFrom: "uB"))
        #expect(difference.id(movedFrom: "uA").utf8.count == 33)
    }

    @Test func aReplyToRefreshSaysThatACopyExists() throws {
        let text = #"{"user": "u1", "access_token": "a", "refresh_token": "r"}"#
        #expect(try !AccountBody.Tokens(Array(text.utf8)).isCopied)
        let copied = text.dropLast() + #", "copied": true}"#
        #expect(try AccountBody.Tokens(Array(copied.utf8)).isCopied)
    }
}
